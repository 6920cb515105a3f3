import Domain
import Logging
import SQL
import Storage
import Synchronization

/// Tells the other instances that this one lives, and takes the work of those that have died.
///
/// Nothing rests on its verdict but speed. An instance that is taken for dead and lives on holds leases that have ended: what
/// it records of them is refused, and what it sends all the same is a replay under the same key, or is waited for
/// (``ResumePolicy/mayTakeEarly(_:_:)``). It keeps that rare by sending nothing while its own heartbeat is old.
final class Heartbeat: Sendable {
    /// How often an instance says that it lives, in milliseconds.
    static let beatMilliseconds: Int64 = 5000
    /// An instance whose last heartbeat is older than this, in milliseconds, begins no call to a PSP that moves money.
    static let sendingMilliseconds: Int64 = 10_000
    /// An instance whose last heartbeat is older than this, in milliseconds, is taken for dead.
    static let deathMilliseconds: Int64 = 12_000
    /// How often others are looked at, in milliseconds.
    private static let lookMilliseconds: Int64 = 1000

    private struct State {
        var startedAt: Timestamp?
        /// When the last heartbeat began that was written down.
        var beatAt: Timestamp?
        /// Since when no heartbeat was late.
        var steadySince: Timestamp?
        var isOver = false
        var isDiskFull = false
        /// What was not sent because it might not be, and is to be given back.
        var withheld: Set<OperationID> = []
    }

    private let database: any Database
    private let clock: any GatewayClock
    private let instance: String
    private let logger: Logger
    private let metrics: GatewayMetrics
    private let state = Mutex(State())

    init(_ ports: Gateway.Ports, instance: String) {
        database = ports.database
        clock = ports.clock
        logger = ports.logger
        metrics = ports.metrics
        self.instance = instance
    }

    /// Whether a call that moves money may begin: the instance has not ended, and its heartbeat is young enough that nobody
    /// takes it for dead.
    ///
    /// One that never had a heartbeat, like a command, may.
    var maySend: Bool {
        let now = clock.now()
        return state.withLock { state in
            guard !state.isOver else { return false }
            return state.beatAt.map { now.milliseconds(since: $0) <= Self.sendingMilliseconds } ?? true
        }
    }

    /// Remembers that an operation was not sent because nothing may be.
    func withhold(_ operation: OperationID) { state.withLock { _ = $0.withheld.insert(operation) } }

    /// Whether an operation was withheld; says so once.
    func tookBack(_ operation: OperationID) -> Bool { state.withLock { $0.withheld.remove(operation) != nil } }

    /// How old the last heartbeat is, in milliseconds; nil if there was none.
    var ageMilliseconds: Int64? {
        let now = clock.now()
        return state.withLock { $0.beatAt }.map { now.milliseconds(since: $0) }
    }

    /// Beats, and looks at the others, until the task is canceled.
    func run() async {
        while !Task.isCancelled {
            await turn()
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.lookMilliseconds))
        }
    }

    /// Beats if it is time to, and takes the work of who died.
    func turn() async {
        do {
            if isDue { try await beat() }
            try await takeOver()
        } catch {
            if error as? SQLError == .diskFull { note(isDiskFull: true) }
            logger.warning("the heartbeat failed", metadata: ["instance": "\(instance)", "error": "\(error)"])
        }
    }

    /// Beats if it is time to, while an instance ends; what cannot be written down is told by what comes after it.
    func beatIfDue() async { if isDue { try? await beat() } }

    /// Sends nothing more from now on.
    func end() { state.withLock { $0.isOver = true } }

    /// Has others forget this instance, which has nothing in hand any more.
    ///
    /// - Throws: `SQLError`.
    func forget() async throws {
        let instance = instance
        try await database.write { session in try InstanceTable.remove(instance, in: session) }
    }

    private var isDue: Bool { ageMilliseconds.map { $0 >= Self.beatMilliseconds } ?? true }

    private func beat() async throws {
        let (now, instance) = (clock.now(), instance)
        let started = state.withLock { state in
            state.startedAt = state.startedAt ?? now
            return state.startedAt ?? now
        }
        try await database.write { session in
            try InstanceTable.beat(instance, startedAt: started, at: now, in: session)
        }
        state.withLock { state in
            let isLate = state.beatAt.map { now.milliseconds(since: $0) > Self.sendingMilliseconds } ?? true
            if isLate { state.steadySince = now }
            state.beatAt = now
        }
        note(isDiskFull: false)
    }

    /// Takes the work of every instance that has been silent for too long.
    ///
    /// Who was out of touch itself lets the others speak first: the database may have been away for all of them.
    private func takeOver() async throws {
        let (now, instance) = (clock.now(), instance)
        let steady = state.withLock { $0.steadySince }
        guard let steady, now.milliseconds(since: steady) >= Self.deathMilliseconds else { return }
        let limit = now.adding(milliseconds: -Self.deathMilliseconds)
        let silent = try await database.read { session in try InstanceTable.silent(since: limit, in: session) }
        for name in silent where name != instance {
            let isTaken = try await database.write { session in
                try InstanceTable.take(name, silentSince: limit, at: now, in: session)
            }
            guard isTaken else { continue }
            metrics.takenInstances.increment(NoLabels())
            logger.warning(
                "an instance gives no sign of life; its work is taken",
                metadata: ["instance": "\(name)", "silent_for_ms": "\(Self.deathMilliseconds)"]
            )
        }
    }

    private func note(isDiskFull: Bool) {
        let wasFull = state.withLock { state in
            defer { state.isDiskFull = isDiskFull }
            return state.isDiskFull
        }
        guard wasFull != isDiskFull else { return }
        if isDiskFull {
            logger.error("the database has no room on its disk: orders are refused until there is some")
        } else {
            logger.notice("the database has room on its disk again")
        }
    }
}

/// What a scrape is told of this instance's heartbeat.
struct HeartbeatFigures: MetricSource {
    private static let age = Metric(
        .gauge,
        "tributary_heartbeat_age_seconds",
        "How old the last heartbeat of this instance is: at 10 s it sends no more, at 12 s others take its work."
    )

    let heartbeat: Heartbeat

    var metrics: [Metric] { [Self.age] }

    func write(to text: inout MetricText) {
        let samples = heartbeat.ageMilliseconds.map { [MetricSample(seconds: Double($0) / 1000)] } ?? []
        text.write(Self.age, samples)
    }
}
