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
    }

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

    /// Takes a second try out, and says whether there was one left.
    mutating func spend(at now: Timestamp) -> Bool {
        let elapsed = filledAt.map { Double(max(0, now.milliseconds(since: $0))) / 1000 } ?? 0
        saved = min(limits.most, saved + elapsed * limits.perSecond)
        filledAt = now
        guard saved >= 1 else { return false }
        saved -= 1
        return true
    }
}
