/// What was heard of an operation.
package struct Report: Hashable, Sendable {
    /// The operation.
    package var operation: OperationID
    /// What became of it.
    package var outcome: Outcome
    /// When to ask again if the PSP works on it, in milliseconds, as its adapter declares.
    package var pollMilliseconds: Int64
    /// Within what time the PSP finishes what it works on, in milliseconds, as its adapter declares.
    package var expectedWithinMilliseconds: Int64
    /// How long an authorization lives if the reply does not say, in milliseconds, as the adapter declares.
    package var authorizationLifeMilliseconds: Int64
    /// Whether an authorization in doubt can only be released by our reference: the PSP cannot be asked, and nothing
    /// that was sent can still arrive.
    package var canOnlyBeUndone: Bool
    /// Whether the PSP answered a sending without saying what became of it, so that its key may answer the same again,
    /// or nothing at all.
    package var isAnswered: Bool
    /// How often the operation had been begun anew when the PSP was called; nil for what was not heard as an answer.
    package var retries: Int64?

    /// Makes a report.
    package init(
        operation: OperationID,
        outcome: Outcome,
        pollMilliseconds: Int64 = 5000,
        expectedWithinMilliseconds: Int64 = 86_400_000,
        authorizationLifeMilliseconds: Int64 = 604_800_000,
        canOnlyBeUndone: Bool = false,
        isAnswered: Bool = false,
        retries: Int64? = nil
    ) {
        self.operation = operation
        self.outcome = outcome
        self.pollMilliseconds = pollMilliseconds
        self.expectedWithinMilliseconds = expectedWithinMilliseconds
        self.authorizationLifeMilliseconds = authorizationLifeMilliseconds
        self.canOnlyBeUndone = canOnlyBeUndone
        self.isAnswered = isAnswered
        self.retries = retries
    }
}
