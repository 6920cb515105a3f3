/// How a PSP times what it works on, as its adapter declares, in milliseconds.
package struct ReportTimings: Hashable, Sendable {
    /// When to ask again.
    package var pollMilliseconds: Int64
    /// Within what time it finishes.
    package var expectedWithinMilliseconds: Int64
    /// How long an authorization lives if the PSP does not say.
    package var authorizationLifeMilliseconds: Int64

    /// Makes timings.
    package init(
        pollMilliseconds: Int64 = 5000,
        expectedWithinMilliseconds: Int64 = 86_400_000,
        authorizationLifeMilliseconds: Int64 = 604_800_000
    ) {
        self.pollMilliseconds = pollMilliseconds
        self.expectedWithinMilliseconds = expectedWithinMilliseconds
        self.authorizationLifeMilliseconds = authorizationLifeMilliseconds
    }

    /// A report of an outcome.
    func report(of operation: OperationID, _ outcome: Outcome) -> Report {
        Report(
            operation: operation,
            outcome: outcome,
            pollMilliseconds: pollMilliseconds,
            expectedWithinMilliseconds: expectedWithinMilliseconds,
            authorizationLifeMilliseconds: authorizationLifeMilliseconds
        )
    }
}
