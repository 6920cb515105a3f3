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
