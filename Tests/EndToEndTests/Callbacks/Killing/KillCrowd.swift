import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

/// Deliverers as servers have them, on one outbox, that are killed at moments of chance.
struct KillCrowd {
    private static let leaseMilliseconds: Int64 = 400
    private static let orders = 5
    private static let callbacksOfOrder: Int64 = 4
    let location: DatabaseLocation
    let programs: Programs
    let server: ScriptedServer

    /// Kills so many, `atOnce` of which work at the same time, with more to deliver each time; then lets one finish,
    /// and answers what was written down.
    func run(kills: Int, atOnce: Int) async throws -> [NewCallback] {
        let endpoint = try await location.withOpen { try await declare(in: $0) }
        var written: [NewCallback] = []
        var working: [RunningProgram] = []
        for number in 0..<kills {
            written += try await location.withOpen { try await write(for: endpoint, to: $0) }
            while working.count < atOnce { working.append(try await start("instance-\(number)-\(working.count)")) }
            try await Task.sleep(for: .milliseconds(Int64.random(in: 1...150)))
            await working.removeFirst().kill()
        }
        if working.isEmpty { working.append(try await start("last")) }
        let end = ContinuousClock.now + .patience
        while try await location.withOpen({ try await isWaiting(in: $0) }) {
            try #require(ContinuousClock.now < end, "\(working[0].errors.text.suffix(2000))")
            try await Task.sleep(for: .milliseconds(50))
        }
        for program in working { await program.kill() }
        return written
    }

    private func start(_ instance: String) async throws -> RunningProgram {
        let document: JSON = [
            "database": .string(location.text), "instance": .string(instance), "secret": .string(Hooks.secret),
            "ahead_ms": 0, "lease_ms": .integer(Self.leaseMilliseconds), "goes_on": true,
        ]
        let program = try programs.start(.crashingGateway, ["deliver", document.text])
        _ = try await program.notice(containing: "delivering", within: .patience)
        return program
    }

    private func declare(in database: any Database) async throws -> CallbackEndpoint {
        let now = Timestamp(microseconds: try await database.now())
        var ids = IdentifierSource()
        let endpoint = CallbackEndpoint(
            id: ids.make(at: now),
            marketplace: "travel",
            merchant: nil,
            url: "http://127.0.0.1:\(server.port)/hooks",
            secrets: CallbackSecrets(.reference("env:HOOK_SECRET")),
            createdAt: now
        )
        try await database.write { try CallbackEndpointTable.save(endpoint, in: $0) }
        return endpoint
    }

    private func write(for endpoint: CallbackEndpoint, to database: any Database) async throws -> [NewCallback] {
        let now = Timestamp(microseconds: try await database.now())
        var ids = IdentifierSource()
        let callbacks = (0..<Self.orders).flatMap { _ in
            let order: OrderID = ids.make(at: now)
            return (1...Self.callbacksOfOrder).map { KillOutbox.callback(for: endpoint, order, $0, at: now, &ids) }
        }
        try await database.write { try Outbox.insert(callbacks, in: $0) }
        return callbacks
    }

    private func isWaiting(in database: any Database) async throws -> Bool {
        var filter = CallbackTable.Filter(marketplace: "travel")
        filter.state = .waiting
        let wanted = filter
        return try await database.read { try !CallbackTable.list(wanted, limit: 1, in: $0).isEmpty }
    }
}
