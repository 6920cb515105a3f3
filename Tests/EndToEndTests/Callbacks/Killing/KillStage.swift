import AdapterKit
import Domain
import Glibc
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

/// An outbox with everything in it that a deliverer does something about, and real endpoints.
struct KillStage: Sendable {
    /// Three instances at once on PostgreSQL, as on SQLite, keep the two cores busy.
    private static let turnstile = Turnstile(places: 3)
    private static let leaseMilliseconds: Int64 = 60_000
    private static let error = "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
    private static let gone = "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"

    let engine: DatabaseEngine

    /// What came of a run.
    struct Result: Sendable {
        /// Whether the deliverer died.
        var died = false
        /// Whether callbacks had arrived then of which the outbox did not know.
        var hadUnrecorded = false
        /// Whether the endpoint that had answered 410 was still enabled then.
        var hadGoneUnrecorded = false
        /// Whether a callback arrived more than once.
        var cameAgain = false
    }

    /// Delivers with a deliverer that dies at `point`, if there is such a point, and then with others, each of which
    /// comes after the lease of the one before.
    func run(_ point: CrashPoint?) async throws -> Result {
        try await Self.turnstile.pass {
            // Whatever is second is not taken at first.
            let own = try ScriptedServer { $0 == 1 ? [.readRequest, .write(Self.error)] : [.readRequest, .ok] }
            let gone = try ScriptedServer(each: .readRequest, .write(Self.gone))
            defer {
                own.stop()
                gone.stop()
            }
            return try await DatabaseLocation.with(engine, prepare: .travel) { location in
                let outbox = try await location.withOpen { try await KillOutbox.write(own, gone, to: $0) }
                return try await Programs.with { programs in
                    var result = Result()
                    let first = try start(programs, location, instance: 0, point)
                    result.died = try await first.ended(within: .patience) == .signaled(SIGKILL)
                    try await location.withOpen { database in
                        result.hadUnrecorded = try await outbox.isAheadOfBooks(own, in: database)
                        result.hadGoneUnrecorded = try await outbox.isGoneUnrecorded(gone, in: database)
                    }
                    for instance in 1...Int64(3) {
                        let next = try start(programs, location, instance: instance, nil)
                        let end = try await next.ended(within: .patience)
                        try #require(end == .exited(0), "\(label(point)): \(next.errors.text)")
                        if try await location.withOpen({ try await outbox.isAtRest(in: $0) }) { break }
                    }
                    let complaints = try await location.withOpen { try await outbox.complaints(own, gone, in: $0) }
                    #expect(complaints == [], "\(label(point))")
                    result.cameAgain = ReceivedCallbacks(requests: own.requests).tries.values.contains { $0 > 1 }
                    return result
                }
            }
        }
    }

    private func start(
        _ programs: Programs,
        _ location: DatabaseLocation,
        instance: Int64,
        _ point: CrashPoint?
    ) throws -> RunningProgram {
        let document = JSON.object(omittingAbsent: [
            "database": .string(location.text), "instance": .string("instance-\(instance)"),
            "secret": .string(Hooks.secret), "ahead_ms": .integer(instance * (Self.leaseMilliseconds + 1_000)),
            "lease_ms": .integer(Self.leaseMilliseconds), "goes_on": false,
            "die_at": point.map { .string($0.moment.rawValue) },
            "die_at_number": point.map { .integer(Int64($0.number)) },
        ])
        return try programs.start(.crashingGateway, ["deliver", document.text])
    }

    private func label(_ point: CrashPoint?) -> String { point.map { "died \($0)" } ?? "undisturbed" }
}
