/// What an instance counts of its calls to PSPs.
///
/// A PSP account is named as in logs, `marketplace/account`: there are as many as are declared.
struct PSPMetrics: Sendable {
    /// A PSP account.
    struct Account: MetricLabels {
        static let names = ["psp", "psp_account"]

        let psp: String
        let account: String

        var values: [String] { [psp, account] }
    }

    /// A call, and what became of it.
    struct Call: MetricLabels {
        static let names = Account.names + ["operation", "outcome"]

        let account: Account
        let operation: String
        let outcome: String

        var values: [String] { account.values + [operation, outcome] }
    }

    /// What was called.
    struct Timed: MetricLabels {
        static let names = ["psp", "operation"]

        let psp: String
        let operation: String

        var values: [String] { [psp, operation] }
    }

    /// What of how an account is set up a PSP refuses.
    struct Misfit: MetricLabels {
        /// What.
        enum Kind: String, Sendable {
            case credentials
            case other
        }

        static let names = Account.names + ["kind"]

        let account: Account
        let kind: Kind

        var values: [String] { account.values + [kind.rawValue] }
    }

    /// A request of a call, and what came back.
    struct Request: MetricLabels {
        /// What came back.
        enum Result: String, Sendable {
            case success = "2xx"
            case redirect = "3xx"
            case refusal = "4xx"
            case failure = "5xx"
            /// Nothing came back, and it may have arrived.
            case noAnswer = "no_answer"
            /// It provably did not arrive.
            case notSent = "not_sent"
            /// There was no room for it on our own side.
            case held
        }

        static let names = Account.names + ["result"]

        let account: Account
        let result: Result

        var values: [String] { account.values + [result.rawValue] }
    }

    /// Calls, each of one request or more.
    let calls = CounterFamily<Call>(
        "tributary_psp_calls_total",
        "Calls to PSPs, by account, operation (inquire: what became of one) and outcome as their adapter reads it."
    )
    /// How long calls took.
    let durations = HistogramFamily<Timed>(
        "tributary_psp_call_duration_seconds",
        "How long calls to PSPs took, waiting for a connection included.",
        bounds: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60]
    )
    /// Calls that are under way.
    let underWay = LevelGauge("tributary_psp_calls_in_flight", "Calls to PSPs that are under way.")
    /// Requests of calls.
    let requests = CounterFamily<Request>(
        "tributary_psp_requests_total",
        "Requests to PSPs by what came back: the class of the status, no_answer, not_sent, or held for want of room here."
    )
    /// Refusals for how an account is set up.
    let misfits = CounterFamily<Misfit>(
        "tributary_psp_configuration_refusals_total",
        "Calls that a PSP refused for how the account is set up: our credentials (401 or 403), or anything else of it."
    )
    /// Second tries.
    let retries = CounterFamily<Account>(
        "tributary_psp_retries_total",
        "Operations that were taken in hand again, to be sent or asked after once more."
    )
    /// Second tries that waited.
    let delayedRetries = CounterFamily<Account>(
        "tributary_psp_retries_delayed_total",
        "Operations taken in hand again that waited because the account's budget of second tries was used up."
    )
    /// Authorizations that an open breaker kept back.
    let keptBack = CounterFamily<Account>(
        "tributary_psp_breaker_refusals_total",
        "Authorizations that were not sent because the PSP account does not answer at present."
    )

    /// All of it.
    var sources: [any MetricSource] {
        [calls, durations, underWay, requests, misfits, retries, delayedRetries, keptBack]
    }
}
