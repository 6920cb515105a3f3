import Domain
import Synchronization

/// How the PSP accounts do, as this instance has seen it.
final class AccountHealth: Sendable {
    /// When breakers open and how budgets fill.
    struct Limits: Hashable, Sendable {
        var breaker = CircuitBreaker.Limits()
        var retries = RetryBudget.Limits()
    }

    private struct Account {
        var breaker: CircuitBreaker
        var retries: RetryBudget
        /// When somebody was last told that it does not take our credentials.
        var refusalToldAt: Timestamp?
    }

    /// So often at most somebody is told that an account does not take our credentials, in milliseconds.
    private static let refusalPauseMilliseconds: Int64 = 60_000

    /// Whether the PSPs take our credentials.
    let credentials = CredentialWatch()
    private let accounts = Mutex<[String: Account]>([:])
    private let limits: Limits

    /// Healthy accounts.
    init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Why a new authorization must not be sent to an account now; nil if it may be.
    func obstacle(to account: String, at now: Timestamp) -> String? {
        change(account) { $0.breaker.permits(at: now) } ? nil : "the PSP account does not answer at present"
    }

    /// Counts a call: a first try earns second ones.
    ///
    /// Says whether it may be made.
    func mayCall(_ account: String, isRetry: Bool, at now: Timestamp) -> Bool {
        change(account) { health in
            guard isRetry else {
                health.retries.earn()
                return true
            }
            return health.retries.spend(at: now)
        }
    }

    /// Hears how the PSP took a call: whether it answered, and did not say that it is broken.
    func note(_ account: String, didAnswer: Bool, at now: Timestamp) {
        change(account) { health in
            if didAnswer { health.breaker.succeed() } else { health.breaker.fail(at: now) }
        }
    }

    /// Whether to say now that an account does not take our credentials: every call would otherwise.
    func tellsRefusal(of account: String, at now: Timestamp) -> Bool {
        change(account) { health in
            if let told = health.refusalToldAt, now.milliseconds(since: told) < Self.refusalPauseMilliseconds {
                return false
            }
            health.refusalToldAt = now
            return true
        }
    }

    /// How the accounts are that were called so far, by name.
    func standings(at now: Timestamp) -> [(account: String, breaker: CircuitBreaker.Standing, retries: Double)] {
        accounts.withLock { accounts in
            accounts.map { ($0.key, $0.value.breaker.standing(at: now), $0.value.retries.available(at: now)) }
        }
    }

    private func change<Value: Sendable>(_ account: String, _ body: (inout sending Account) -> Value) -> Value {
        accounts.withLock { accounts in
            var health =
                accounts[account]
                ?? Account(breaker: CircuitBreaker(limits.breaker), retries: RetryBudget(limits.retries))
            let value = body(&health)
            accounts[account] = health
            return value
        }
    }
}

/// What a scrape is told of the PSP accounts' health.
struct AccountFigures: MetricSource {
    private static let breaker = Metric(
        .gauge,
        "tributary_psp_breaker_state",
        labels: ["psp_account", "state"],
        "Whether the breaker of a PSP account is in a state: 1 for the one it is in."
    )
    private static let budget = Metric(
        .gauge,
        "tributary_psp_retry_budget",
        labels: ["psp_account"],
        "How many second tries at a PSP account may be made at once."
    )

    let health: AccountHealth
    let clock: any GatewayClock

    var metrics: [Metric] { [Self.breaker, Self.budget] }

    func write(to text: inout MetricText) {
        let standings = health.standings(at: clock.now())
        text.write(
            Self.breaker,
            standings.flatMap { account, breaker, _ in
                CircuitBreaker.Standing.allCases.map { MetricSample([account, $0.rawValue], $0 == breaker ? 1 : 0) }
            }
        )
        text.write(Self.budget, standings.map { MetricSample([$0.account], Int64($0.retries)) })
    }
}

/// Stops new authorizations at a PSP account that does not answer, until it has had time to recover.
///
/// Closed, it lets everything through and counts failures in a row. Open, it lets nothing through. Then it lets one
/// through at a time, whose success closes it.
struct CircuitBreaker: Hashable {
    /// When it opens, and for how long.
    struct Limits: Hashable, Sendable {
        /// How many failures in a row open it.
        var failures = 8
        /// For how long it stays open, in milliseconds.
        var pauseMilliseconds: Int64 = 5000
    }

    /// Where it stands.
    enum Standing: String, Sendable, CaseIterable {
        /// Everything goes through.
        case closed
        /// Nothing does.
        case open
        /// One at a time does, to find out.
        case halfOpen = "half_open"
    }

    private let limits: Limits
    private var failures = 0
    private var openUntil: Timestamp?

    /// A closed breaker.
    init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Whether something new may be sent now; if it was open, the next one has to wait for what becomes of this.
    mutating func permits(at now: Timestamp) -> Bool {
        guard let until = openUntil else { return true }
        guard now >= until else { return false }
        openUntil = now.adding(milliseconds: limits.pauseMilliseconds)
        return true
    }

    /// Where it stands.
    func standing(at now: Timestamp) -> Standing {
        guard let until = openUntil else { return .closed }
        return now < until ? .open : .halfOpen
    }

    /// Hears that the PSP answered.
    mutating func succeed() { (failures, openUntil) = (0, nil) }

    /// Hears that it did not, or that it is broken.
    mutating func fail(at now: Timestamp) {
        failures += 1
        if failures >= limits.failures { openUntil = now.adding(milliseconds: limits.pauseMilliseconds) }
    }
}

/// How many calls to a PSP account may be second tries: a share of the first tries, and a trickle.
///
/// A PSP that is down is not buried under what everybody tries again at once when it comes back.
struct RetryBudget: Hashable {
    /// How it fills.
    struct Limits: Hashable, Sendable {
        /// How many second tries each first one earns.
        var perCall = 0.2
        /// How many each second earns.
        var perSecond = 50.0
        /// The most that is saved up.
        var most = 200.0
    }

    private let limits: Limits
    private var saved: Double
    private var filledAt: Timestamp?

    /// A full budget.
    init(_ limits: Limits = Limits()) {
        self.limits = limits
        saved = limits.most
    }

    /// Hears of a first try.
    mutating func earn() { saved = min(limits.most, saved + limits.perCall) }

    /// How many second tries there are.
    func available(at now: Timestamp) -> Double {
        let elapsed = filledAt.map { Double(max(0, now.milliseconds(since: $0))) / 1000 } ?? 0
        return min(limits.most, saved + elapsed * limits.perSecond)
    }

    /// Takes a second try out, and says whether there was one left.
    mutating func spend(at now: Timestamp) -> Bool {
        saved = available(at: now)
        filledAt = now
        guard saved >= 1 else { return false }
        saved -= 1
        return true
    }
}
