import Domain
import Gateway
import HTTPTypes
import Hummingbird
import SQL
import Storage
import StrictJSON

/// `/livez`, `/readyz` and `/metrics`.
struct OperabilityRoutes: Sendable {
    let gateway: Gateway
    let refused: RefusedAttempts

    func add(to router: Router<APIContext>) {
        router.get("/livez") { _, _ in Response.json(["status": "alive"]) }
        router.get("/readyz") { _, _ in try await ready() }
        router.get("/metrics") { _, _ in try await metrics() }
    }

    /// What waits, in the text format that Prometheus reads; sums over everybody, so that no key is needed.
    private func metrics() async throws -> Response {
        let now = gateway.clock.now()
        let (statistics, ledger) = try await gateway.database.read { session in
            (try CallbackStatistics.read(in: session), try LedgerWatchTable.health(in: session))
        }
        var metrics = Metrics(callbacks: statistics, ledger: ledger, at: now)
        metrics.add(refused.totals)
        let text = metrics.text
        return Response(
            status: .ok,
            headers: [.contentType: Metrics.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Ready once the database answers from its tables.
    private func ready() async throws -> Response {
        do {
            try await gateway.database.read { session in try DatabaseProbe.touch(in: session) }
            return .json(["status": "ready"])
        } catch is SQLError {
            throw Problem(
                status: .serviceUnavailable,
                code: "not_ready",
                detail: "The database cannot be reached.",
                retryAfterSeconds: 1
            )
        }
    }
}

/// Figures for a monitoring system, in the text format that Prometheus reads, version 0.0.4.
struct Metrics {
    /// The format's media type.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private var lines: [String] = []

    /// What there is to say of callbacks at a moment, and of the books.
    init(callbacks statistics: CallbackStatistics, ledger: LedgerHealth, at now: Timestamp) {
        let age = statistics.oldestWaiting.map { max(0, now.milliseconds(since: $0)) } ?? 0
        gauge("tributary_callbacks_waiting", "Callbacks that wait to be delivered.", statistics.waiting)
        gauge("tributary_callbacks_dead", "Callbacks that were given up and not replayed.", statistics.dead)
        gauge(
            "tributary_callbacks_oldest_waiting_age_seconds",
            "How long ago the oldest waiting callback was written down.",
            age / 1000
        )
        head("tributary_callback_endpoints", "Endpoints by state; those that fail are enabled.")
        for (state, count) in [
            ("enabled", statistics.enabledEndpoints), ("disabled", statistics.disabledEndpoints),
            ("failing", statistics.failingEndpoints),
        ] { lines.append("tributary_callback_endpoints{state=\"\(state)\"} \(count)") }
        gauge(
            "tributary_callback_endpoint_failures",
            "Failures in a row of the endpoints that fail, added up.",
            statistics.failures
        )
        add(ledger)
    }

    private mutating func add(_ ledger: LedgerHealth) {
        head("tributary_ledger_findings", "Places where the books break a rule, as of the last complete verification.")
        for rule in LedgerRule.allCases {
            lines.append("tributary_ledger_findings{rule=\"\(rule.rawValue)\"} \(ledger.findings[rule] ?? 0)")
        }
        gauge(
            "tributary_ledger_verified_timestamp_seconds",
            "When the books that were not verified for the longest were, in seconds since 1970; 0 if they never were.",
            ledger.verifiedAt.microseconds / 1_000_000
        )
    }

    /// Adds how many attempts this instance refused for who made them.
    mutating func add(_ refused: [RefusedAttempts.Reason: Int64]) {
        head(
            "tributary_refused_attempts_total",
            "Requests refused for want of a valid key, of a scope, or of a webhook's right signature.",
            type: "counter"
        )
        for reason in RefusedAttempts.Reason.allCases {
            let count = refused[reason] ?? 0
            lines.append("tributary_refused_attempts_total{reason=\"\(reason.rawValue)\"} \(count)")
        }
    }

    /// The figures, each on a line.
    var text: String { lines.joined(separator: "\n") + "\n" }

    private mutating func gauge(_ name: String, _ help: String, _ value: Int64) {
        head(name, help)
        lines.append("\(name) \(value)")
    }

    private mutating func head(_ name: String, _ help: String, type: String = "gauge") {
        lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }
}
