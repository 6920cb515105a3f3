/// The times by which the machine plans, in milliseconds.
///
/// They are configuration, not state.
package struct OrderTimings: Hashable, Sendable {
    /// How long an instance keeps an operation to itself: longer than the PSP timeout plus 30 s.
    package var leaseMilliseconds: Int64
    /// How long to wait before asking again after what is unknown; the last one repeats.
    package var unknownScheduleMilliseconds: [Int64]
    /// How long an accepted answer waits for the captures' first replies, and a refused one for the voids'.
    package var graceMilliseconds: Int64
    /// After how long an unknown outcome needs a person.
    package var attentionAfterMilliseconds: Int64
    /// How long a buyer has for a step if the PSP does not say.
    package var actionLifeMilliseconds: Int64
    /// How long before a hold lapses somebody is told; half of its life if it lives no longer than that.
    package var expiryWarningMilliseconds: Int64
    /// How many times a release or a refund is tried, over the pauses of the schedule, before it rests with a person.
    package var compensationTries: Int64
    /// How many times a refund is tried that the PSP refuses until the capture has settled: with the default schedule,
    /// for five days.
    package var settlementTries: Int64

    /// Rules as the design has them; tests and demos shorten them.
    package init(
        leaseMilliseconds: Int64 = 120_000,
        unknownScheduleMilliseconds: [Int64] = [1000, 5000, 30_000, 120_000, 600_000, 3_600_000],
        graceMilliseconds: Int64 = 2000,
        attentionAfterMilliseconds: Int64 = 86_400_000,
        actionLifeMilliseconds: Int64 = 600_000,
        expiryWarningMilliseconds: Int64 = 86_400_000,
        compensationTries: Int64 = 10,
        settlementTries: Int64 = 125
    ) {
        precondition(!unknownScheduleMilliseconds.isEmpty, "a schedule has at least one step")
        self.leaseMilliseconds = leaseMilliseconds
        self.unknownScheduleMilliseconds = unknownScheduleMilliseconds
        self.graceMilliseconds = graceMilliseconds
        self.attentionAfterMilliseconds = attentionAfterMilliseconds
        self.actionLifeMilliseconds = actionLifeMilliseconds
        self.expiryWarningMilliseconds = expiryWarningMilliseconds
        self.compensationTries = compensationTries
        self.settlementTries = settlementTries
    }

    /// How long to wait after the n-th doubt, from 1.
    package func pause(afterDoubts doubts: Int64) -> Int64 {
        let index = min(Int(clamping: max(doubts, 1)), unknownScheduleMilliseconds.count) - 1
        return unknownScheduleMilliseconds[index]
    }

    /// How long to wait before asking again what has been worked on for so long: at first as the adapter declares, then a
    /// twentieth of its age, up to the longest pause of the schedule.
    package func pollPause(_ declared: Int64, afterMilliseconds age: Int64) -> Int64 {
        max(declared, min(age / 20, unknownScheduleMilliseconds[unknownScheduleMilliseconds.count - 1]))
    }
}
