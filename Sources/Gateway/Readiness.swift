import SQL
import Storage
import Synchronization

/// Something that has to hold for an instance to be sent requests.
package struct ReadinessCheck: Sendable {
    /// How it stands.
    package enum State: Hashable, Sendable {
        /// It holds.
        case passed
        /// It holds, and somebody should look at this soon.
        case warned(String)
        /// It does not hold: why, and what to do. No names and no paths: anybody may read it.
        case failed(String)
    }

    /// One word, by which it is known to monitors.
    package let name: String
    fileprivate let look: @Sendable () async -> State

    /// A check that is made by `look`, at most once a second, and counts as failed where it takes longer than a second.
    package init(_ name: String, _ look: @escaping @Sendable () async -> State) {
        self.name = name
        self.look = look
    }
}

/// Whether an instance can be sent requests, and if not, why.
///
/// Whoever asks, and however often: each check is made once a second at most, and never twice at a time.
package final class Readiness: Sendable {
    /// The name of the check that fails from the moment that the instance is told to end.
    package static let draining = "draining"

    private let probes: Mutex<[ReadinessProbe]>
    private let hasToEnd = Atomic(false)

    /// Checks in the order in which they are told.
    package init(_ checks: [ReadinessCheck]) { probes = Mutex(checks.map(ReadinessProbe.init)) }

    /// Adds a check.
    package func add(_ check: ReadinessCheck) { probes.withLock { $0.append(ReadinessProbe(check)) } }

    /// Is not ready from now on: the instance is about to end.
    package func drain() { hasToEnd.store(true, ordering: .relaxed) }

    /// Whether the instance is about to end.
    package var isDraining: Bool { hasToEnd.load(ordering: .relaxed) }

    /// How every check stands, by its name, in their order.
    package func states() async -> [(name: String, state: ReadinessCheck.State)] {
        let probes = probes.withLock { $0 }
        var states: [(name: String, state: ReadinessCheck.State)] = []
        for probe in probes { probe.begin() }
        for probe in probes { states.append((probe.name, await probe.state())) }
        states.append((Self.draining, isDraining ? .failed("The server ends: send requests elsewhere.") : .passed))
        return states
    }
}

/// A check, and what it last came to.
private final class ReadinessProbe: Sendable {
    /// For so long what a check came to is told again.
    private static let age = Duration.seconds(1)
    /// A check that takes longer has failed.
    private static let patience = Duration.seconds(1)

    private struct Memory {
        var last: (state: ReadinessCheck.State, at: ContinuousClock.Instant)?
        var running: Task<ReadinessCheck.State, Never>?
    }

    private let check: ReadinessCheck
    private let memory = Mutex(Memory())

    init(_ check: ReadinessCheck) { self.check = check }

    var name: String { check.name }

    /// Begins to look unless somebody does, or did so a moment ago.
    func begin() {
        memory.withLock { memory in
            if let last = memory.last, ContinuousClock.now - last.at < Self.age { return }
            guard memory.running == nil else { return }
            memory.running = Task { [self] in
                let state = await check.look()
                self.memory.withLock { $0 = Memory(last: (state, .now), running: nil) }
                return state
            }
        }
    }

    /// What the check came to, or that it takes too long.
    func state() async -> ReadinessCheck.State {
        let (last, running) = memory.withLock { ($0.last, $0.running) }
        guard let running else { return last?.state ?? .failed("It was not looked at.") }
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            Task { answer.give(await running.value) }
            Task {
                try? await Task.sleep(for: Self.patience)
                answer.give(.failed("It gave no answer within a second."))
            }
        }
    }
}

/// Answers once, with what comes first.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<ReadinessCheck.State, Never>?>

    init(_ continuation: CheckedContinuation<ReadinessCheck.State, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ state: ReadinessCheck.State) {
        let waiting = continuation.withLock { $0.take() }
        waiting?.resume(returning: state)
    }
}

extension ReadinessCheck {
    /// Whether the database answers from its tables.
    static func database(_ database: any Database) -> ReadinessCheck {
        ReadinessCheck("database") {
            do {
                try await database.read { session in try DatabaseProbe.touch(in: session) }
                return .passed
            } catch {
                return .failed("The database cannot be reached.")
            }
        }
    }

    /// Whether the schema is this build's; a database that cannot be reached fails another check.
    static func schema(_ database: any Database) -> ReadinessCheck {
        ReadinessCheck("schema") {
            do {
                try await Migrator().check(database)
                return .passed
            } catch is SchemaRefusal {
                return .failed(
                    "The schema is not this build's: run tributary migrate, or start the build that made it."
                )
            } catch {
                return .passed
            }
        }
    }

    /// Whether the database had room for what was last written; a heartbeat is written every few seconds.
    static func disk(_ disk: DiskHealth) -> ReadinessCheck {
        ReadinessCheck("disk") {
            disk.isFull ? .failed("The database has no room on its disk: give it some.") : .passed
        }
    }
}
