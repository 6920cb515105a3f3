package import Domain
package import Logging
package import SQL
package import Storage
import Synchronization

/// What is stored, as of the last sample: one set of queries at an interval, so that a scrape asks no database and is
/// answered while that is away.
package final class DatabaseFigures: MetricSource {
    private struct State {
        var sample: OperationalSample?
        var seconds = 0.0
        var failures: Int64 = 0
        var isAway = false
    }

    private let state = Mutex(State())
    private let logger: Logger

    /// Figures of which no sample was taken yet.
    ///
    /// - Parameter logger: told when the database cannot be sampled, and when it can be again.
    package init(logger: Logger) { self.logger = logger }

    /// The last sample; nil before the first one.
    package var sample: OperationalSample? { state.withLock { $0.sample } }

    /// Takes a sample; the last one stays if the database is away.
    ///
    /// - Parameters:
    ///   - database: where it is taken.
    ///   - now: the moment.
    package func take(from database: any Database, at now: Timestamp) async {
        let begin = ContinuousClock.now
        do {
            let sample = try await database.read { session in try OperationalSample.read(at: now, in: session) }
            let wasAway = state.withLock { state in
                defer { state.isAway = false }
                state.sample = sample
                state.seconds = (ContinuousClock.now - begin) / .seconds(1)
                return state.isAway
            }
            if wasAway { logger.notice("the database can be sampled for metrics again") }
        } catch {
            let wasAway = state.withLock { state in
                defer { state.isAway = true }
                state.failures += 1
                return state.isAway
            }
            guard !wasAway, !Task.isCancelled else { return }
            logger.warning("the database could not be sampled for metrics", metadata: ["error": "\(error)"])
        }
    }

    package var metrics: [Metric] { figures(of: nil).map(\.0) + [Self.failures, Self.duration] }

    package func write(to text: inout MetricText) {
        let state = state.withLock { $0 }
        for (metric, samples) in figures(of: state.sample) { text.write(metric, samples) }
        text.write(Self.failures, [MetricSample(state.failures)])
        text.write(Self.duration, state.sample == nil ? [] : [MetricSample(seconds: state.seconds)])
    }

    private static let failures = Metric(
        .counter,
        "tributary_database_sample_failures_total",
        "Samples of the database that could not be taken; what comes of samples stays as it was."
    )
    private static let duration = Metric(
        .gauge,
        "tributary_database_sample_duration_seconds",
        "How long the last sample took."
    )

    /// The metrics that come of a sample, with their series: none before the first one.
    private func figures(of sample: OperationalSample?) -> [(Metric, [MetricSample])] {
        queues(of: sample) + callbacks(of: sample) + concerns(of: sample) + books(of: sample)
    }
}

extension DatabaseFigures {
    private typealias Figures = [(Metric, [MetricSample])]

    private func gauge(_ name: String, _ help: String, _ value: Int64?) -> (Metric, [MetricSample]) {
        (Metric(.gauge, name, help), value.map { [MetricSample($0)] } ?? [])
    }

    private func age(
        _ name: String,
        _ help: String,
        _ since: Timestamp?,
        _ sample: OperationalSample?
    )
        -> (Metric, [MetricSample])
    {
        let seconds = sample.map { max(0, Double($0.at.microseconds - (since ?? $0.at).microseconds) / 1_000_000) }
        return (Metric(.gauge, name, help), seconds.map { [MetricSample(seconds: $0)] } ?? [])
    }

    private func queues(of sample: OperationalSample?) -> Figures {
        [
            (
                Metric(
                    .gauge,
                    "tributary_database_sample_timestamp_seconds",
                    "When the last sample of the database was taken, in seconds since 1970."
                ), sample.map { [MetricSample(seconds: Double($0.at.microseconds) / 1_000_000)] } ?? []
            ), gauge("tributary_orders_open", "Orders that are not at rest.", sample?.openOrders),
            gauge("tributary_work_due", "Orders that are due to be carried on.", sample?.work.count),
            age(
                "tributary_work_oldest_due_age_seconds",
                "Since when the order that waits longest is due.",
                sample?.work.oldest,
                sample
            ),
            (
                Metric(
                    .gauge,
                    "tributary_work_stuck",
                    labels: ["kind"],
                    "Whole orders, and single operations, that failed when they were carried on and are tried again."
                ),
                sample.map {
                    [MetricSample(["order"], $0.stuckOrders), MetricSample(["operation"], $0.stuckOperations)]
                } ?? []
            ),
            gauge(
                "tributary_psp_webhooks_waiting",
                "PSP webhook events that are due to be told to their orders.",
                sample?.webhooks.count
            ),
            age(
                "tributary_psp_webhooks_oldest_waiting_age_seconds",
                "Since when the PSP webhook event that waits longest is due.",
                sample?.webhooks.oldest,
                sample
            ),
            (
                Metric(
                    .gauge,
                    "tributary_psp_webhooks_amiss",
                    labels: ["state"],
                    "PSP webhook events that are about nothing known yet (parked), or failed and wait for a person (problem)."
                ),
                sample.map {
                    [MetricSample(["parked"], $0.parkedWebhooks), MetricSample(["problem"], $0.failedWebhooks)]
                } ?? []
            ),
        ]
    }

    private func callbacks(of sample: OperationalSample?) -> Figures {
        let statistics = sample?.callbacks
        return [
            gauge("tributary_callbacks_waiting", "Callbacks that wait to be delivered.", statistics?.waiting),
            gauge("tributary_callbacks_dead", "Callbacks that were given up and not replayed.", statistics?.dead),
            age(
                "tributary_callbacks_oldest_waiting_age_seconds",
                "How long ago the oldest waiting callback was written down.",
                statistics?.oldestWaiting,
                sample
            ),
            (
                Metric(
                    .gauge,
                    "tributary_callback_endpoints",
                    labels: ["state"],
                    "Endpoints by state; those that fail are enabled."
                ),
                statistics.map {
                    [
                        MetricSample(["enabled"], $0.enabledEndpoints),
                        MetricSample(["disabled"], $0.disabledEndpoints),
                        MetricSample(["failing"], $0.failingEndpoints),
                    ]
                } ?? []
            ),
            gauge(
                "tributary_callback_endpoint_failures",
                "Failures in a row of the endpoints that fail, added up.",
                statistics?.failures
            ),
        ]
    }

    /// What a person has to look at, and what money stands behind it.
    private func concerns(of sample: OperationalSample?) -> Figures {
        let attention = sample?.attention ?? [:]
        var risk: [[String]: Int64] = [:]
        for (group, total) in attention { risk[[group.currency, group.age.rawValue], default: 0] += total.amount }
        let (lapsing, breaks) = (sample?.lapsing ?? [:], sample?.breaks ?? [:])
        func series(
            _ names: [String],
            _ values: [([String], Int64)],
            _ name: String,
            _ help: String
        )
            -> (Metric, [MetricSample])
        {
            (Metric(.gauge, name, labels: names, help), values.map { MetricSample($0.0, $0.1) })
        }
        let breakNames = ["type", "currency"]
        let items = breaks.map { (labels: [$0.key.type, $0.key.currency ?? "none"], total: $0.value) }
        return [
            series(
                ["psp_account", "objection"],
                (sample?.refusals ?? []).map {
                    (["\($0.marketplace)/\($0.account)", $0.objection.rawValue], 1)
                },
                "tributary_psp_credentials_refused",
                "PSP accounts whose credentials were refused, and of which no call was taken since: 1 for each."
            ),
            series(
                ["reason", "currency", "age"],
                attention.map { ([$0.key.reason, $0.key.currency, $0.key.age.rawValue], $0.value.count) },
                "tributary_attention_items",
                "Items that a person should look at, by how long they have been there."
            ),
            series(
                ["currency", "age"],
                risk.map { ($0.key, $0.value) },
                "tributary_attention_risk_minor_units",
                "The money at risk in items that a person should look at, in minor units of the currency."
            ),
            series(
                ["currency"],
                lapsing.map { ([$0.key], $0.value.count) },
                "tributary_holds_lapsing",
                "Holds of accepted orders that lapse within a day."
            ),
            series(
                ["currency"],
                lapsing.map { ([$0.key], $0.value.amount) },
                "tributary_holds_lapsing_minor_units",
                "What is held and lapses within a day, in minor units of the currency."
            ),
            series(
                breakNames,
                items.map { ($0.labels, $0.total.count) },
                "tributary_breaks_open",
                "Breaks of reconciliation that nobody resolved."
            ),
            series(
                breakNames,
                items.map { ($0.labels, $0.total.amount) },
                "tributary_breaks_open_minor_units",
                "What unresolved breaks are about, in minor units of the currency, signs aside."
            ),
        ]
    }

    private func books(of sample: OperationalSample?) -> Figures {
        [
            (
                Metric(
                    .gauge,
                    "tributary_ledger_findings",
                    labels: ["rule"],
                    "Places where the books break a rule, as of the last complete verification."
                ),
                sample.map { sample in
                    LedgerRule.allCases.map { MetricSample([$0.rawValue], sample.ledger.findings[$0] ?? 0) }
                } ?? []
            ),
            gauge(
                "tributary_ledger_verified_timestamp_seconds",
                "When the books that were not verified for the longest were, in seconds since 1970; 0 if they never were.",
                sample.map { $0.ledger.verifiedAt.microseconds / 1_000_000 }
            ),
        ]
    }
}
