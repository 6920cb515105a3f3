/// What the marketplace asked for besides the amounts.
package struct OrderTerms: Hashable, Sendable {
    /// The wallet whose sheet waits for the answer.
    package enum Wallet: String, Sendable {
        /// Apple Pay.
        case applePay = "apple_pay"
        /// Google Pay.
        case googlePay = "google_pay"
    }

    /// When money is taken.
    package enum Capture: String, Sendable, CaseIterable {
        /// As soon as the policy is satisfied.
        case automatic
        /// When asked.
        case manual
    }

    /// What happens when the deadline passes before all is known.
    package enum OnDeadline: String, Sendable {
        /// Decide at once on what is known.
        case abandon
        /// Answer "not yet" and decide later.
        case `continue`
    }

    /// What happens when a capture fails for good after the order was accepted.
    package enum OnCaptureFailure: String, Sendable {
        /// A person is told.
        case attention
        /// The order's other payments are given back.
        case compensate
    }

    /// When a partial success is acceptable.
    package var policy: Policy
    /// When money is taken.
    package var capture: Capture
    /// What happens when the deadline passes.
    package var onDeadline: OnDeadline
    /// What happens when a capture fails after acceptance.
    package var onCaptureFailure: OnCaptureFailure
    /// When the waiting ends.
    ///
    /// Moves on while the buyer has something to do.
    package var deadlineAt: Timestamp
    /// When the order is decided at the latest.
    package var decideBy: Timestamp

    /// Where a PSP sends the buyer after a step of theirs.
    package var returnURL: String?
    /// The wallet whose sheet waits for the answer; nil if none does.
    package var wallet: Wallet?

    /// Makes terms.
    package init(
        policy: Policy,
        capture: Capture,
        onDeadline: OnDeadline,
        onCaptureFailure: OnCaptureFailure,
        deadlineAt: Timestamp,
        decideBy: Timestamp,
        returnURL: String? = nil,
        wallet: Wallet? = nil
    ) {
        self.policy = policy
        self.capture = capture
        self.onDeadline = onDeadline
        self.onCaptureFailure = onCaptureFailure
        self.deadlineAt = deadlineAt
        self.decideBy = decideBy
        self.returnURL = returnURL
        self.wallet = wallet
    }
}
