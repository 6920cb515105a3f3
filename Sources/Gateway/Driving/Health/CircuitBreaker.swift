import Domain

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
