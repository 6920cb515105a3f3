import Domain

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
