package import SQL
import Synchronization

/// A database that counts what is asked of it, and is otherwise the one below.
package struct MeasuredDatabase: Database {
    /// What is asked.
    enum Kind: String, MetricLabels {
        case read
        case write

        static let names = ["kind"]

        var values: [String] { [rawValue] }
    }

    /// What is asked, and what became of it.
    struct Asked: MetricLabels {
        /// What became of it.
        enum Result: String, Sendable {
            case done
            /// The body refused: nothing was wrong with the database.
            case refused
            case uniqueViolation = "unique_violation"
            case constraintViolation = "constraint_violation"
            case serializationFailure = "serialization_failure"
            case unavailable
            case broken

            init(_ error: any Error) {
                self =
                    switch error as? SQLError {
                    case nil: .refused
                    case .uniqueViolation: .uniqueViolation
                    case .constraintViolation: .constraintViolation
                    case .serializationFailure: .serializationFailure
                    case .unavailable: .unavailable
                    case .broken, .unexpectedValue: .broken
                    }
            }
        }

        static let names = ["kind", "result"]

        let kind: Kind
        let result: Result

        var values: [String] { [kind.rawValue, result.rawValue] }
    }

    private let base: any Database
    private let transactions = CounterFamily<Asked>(
        "tributary_database_transactions_total",
        "Transactions by what became of them; unavailable: the database could not be reached or had no room."
    )
    private let durations = HistogramFamily<Kind>(
        "tributary_database_transaction_duration_seconds",
        "How long transactions took, waiting for a connection and running again after a conflict included.",
        bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
    )
    private let underWay = LevelGauge(
        "tributary_database_transactions_in_flight",
        "Transactions that are under way or wait for a connection."
    )

    private let disk: DiskHealth

    /// Counts for `registry` what is asked of `base`, and tells `disk` whether what is written finds room.
    package init(_ base: any Database, for registry: MetricRegistry, disk: DiskHealth = DiskHealth()) {
        self.base = base
        self.disk = disk
        registry.add([transactions, durations, underWay])
    }

    package var dialect: Dialect { base.dialect }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await counting(.write) { try await base.write(body) }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await counting(.read) { try await base.read(body) }
    }

    package func now() async throws -> Int64 { try await base.now() }

    package func scrub() async throws { try await base.scrub() }

    package func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? {
        base.notifications(on: channel)
    }

    private func counting<Value: Sendable>(_ kind: Kind, _ body: () async throws -> Value) async throws -> Value {
        let begin = ContinuousClock.now
        underWay.add(1)
        var result = Asked.Result.done
        defer {
            underWay.add(-1)
            transactions.increment(Asked(kind: kind, result: result))
            durations.observe((ContinuousClock.now - begin) / .seconds(1), kind)
        }
        do {
            let value = try await body()
            if kind == .write { disk.note(isFull: false) }
            return value
        } catch {
            if error as? SQLError == .diskFull { disk.note(isFull: true) }
            result = Asked.Result(error)
            throw error
        }
    }
}

/// Whether the database's disk had room for what was last written.
package final class DiskHealth: MetricSource {
    private static let metric = Metric(
        .gauge,
        "tributary_database_disk_full",
        "Whether the database had no room on its disk for what was last written: 1 if so."
    )

    private let full = Atomic(false)

    /// A disk that has room, as far as anybody knows.
    package init() {}

    /// Whether it had none.
    package var isFull: Bool { full.load(ordering: .relaxed) }

    /// Hears what became of something that was written.
    package func note(isFull: Bool) { full.store(isFull, ordering: .relaxed) }

    package var metrics: [Metric] { [Self.metric] }

    package func write(to text: inout MetricText) { text.write(Self.metric, [MetricSample(isFull ? 1 : 0)]) }
}
