import Foundation
import Synchronization
import TributaryTestKit

/// Real gateways that serve one database, and can be killed and started again.
final class Fleet: Sendable {
    /// How long a PSP may take.
    enum Patience: Int {
        /// So long that only a PSP that never answers takes longer, whatever else this machine does.
        case long = 20
        /// So short that a dead gateway's leases run out soon, for they have to last 30 s longer.
        case short = 1
    }

    private let programs: Programs
    private let arguments: [String]
    private let environment: @Sendable (Int) -> [String: String]
    private let descriptors: Int?
    private let serving: Mutex<[ServingProcess]>

    /// Lends so many gateways that serve a database of a bazaar; each may have something of its own in its environment.
    static func with<Value>(
        _ count: Int,
        of bazaar: Bazaar,
        on location: DatabaseLocation,
        patience: Patience = .long,
        arguments: [String] = [],
        descriptors: Int? = nil,
        adding settings: String = "",
        environment own: @escaping @Sendable (Int) -> [String: String] = { _ in [:] },
        _ body: (Fleet) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { folder in
            let file = folder.path("tributary.yaml")
            try (Self.settings(patience) + "\n" + settings).write(toFile: file, atomically: true, encoding: .utf8)
            return try await Programs.with { programs in
                var shared = bazaar.environment
                shared["TRIBUTARY_DATABASE_URL"] = location.text
                let environment = { @Sendable [shared] number in shared.merging(own(number)) { $1 } }
                let fleet = Fleet(programs, arguments + ["--config", file], environment, descriptors)
                for _ in 0..<count { try await fleet.add() }
                return try await body(fleet)
            }
        }
    }

    private static func settings(_ patience: Patience) -> String {
        """
        database: { connections: 4 }
        timings:
          psp_timeout: \(patience.rawValue)s
          psp_connect_timeout: 1s
          lease: \(patience.rawValue + 33)s
          grace: 30s
          poll: 50ms
          unknown_schedule: [100ms, 300ms, 1s]
        """
    }

    private init(
        _ programs: Programs,
        _ arguments: [String],
        _ environment: @escaping @Sendable (Int) -> [String: String],
        _ descriptors: Int?
    ) {
        self.programs = programs
        self.arguments = arguments
        self.environment = environment
        self.descriptors = descriptors
        serving = Mutex([])
    }

    /// How many there are, dead or alive.
    var count: Int { serving.withLock(\.count) }

    /// The base URL of one; it may be dead.
    func url(_ number: Int) -> String { serving.withLock { $0[number % $0.count].url } }

    /// The ports of all of them.
    var ports: [UInt16] {
        serving.withLock { $0.compactMap { $0.url.split(separator: ":").last.flatMap { UInt16($0) } } }
    }

    /// The number of one's process.
    func process(_ number: Int) -> Int32 { serving.withLock { $0[number].program.id } }

    /// What one has logged since it was started last.
    func log(_ number: Int) -> [UInt8] {
        let program = serving.withLock { $0[number].program }
        return program.errors.bytes + program.output.bytes
    }

    /// Kills one on the spot.
    func kill(_ number: Int) async {
        let program = serving.withLock { $0[number].program }
        await program.kill()
    }

    /// Tells one to end (SIGTERM), and answers how it did.
    ///
    /// - Throws: `ProgramFailure.tooSlow(said:)` after a minute.
    func stop(_ number: Int) async throws -> RunningProgram.Ending {
        let program = serving.withLock { $0[number].program }
        if program.isRunning { Foundation.kill(program.id, SIGTERM) }
        return try await program.ended(within: .patience)
    }

    /// Starts one again that has ended.
    func restart(_ number: Int) async throws {
        let started = try await start(number)
        serving.withLock { $0[number] = started }
    }

    private func add() async throws {
        let started = try await start(count)
        serving.withLock { $0.append(started) }
    }

    private func start(_ number: Int) async throws -> ServingProcess {
        try await ServingProcess.start(
            in: programs,
            arguments: arguments,
            environment: environment(number),
            descriptors: descriptors
        )
    }
}
