/// What was decided about an order, once; never recomputed from later facts.
package struct Decision: Hashable, Sendable {
    /// `pending → cleared → accepted`, `pending → refused`, `cleared → refused`, `accepted → canceled`.
    package enum State: String, Sendable, CaseIterable {
        /// Not all is known yet.
        case pending
        /// The policy is satisfied and captures may be sent.
        case cleared
        /// The checkout shows success.
        case accepted
        /// Everything is undone.
        case refused
        /// It was accepted, then called off with nothing captured.
        case canceled
    }

    /// Why.
    package enum Reason: String, Sendable {
        /// Every payment is definite and the policy is satisfied.
        case policySatisfied = "policy_satisfied"
        /// Time was up and the authorized payments satisfy the policy.
        case policySatisfiedInTime = "policy_satisfied_at_deadline"
        /// No possible outcome can satisfy the policy any more.
        case policyUnsatisfiable = "policy_unsatisfiable"
        /// The deadline passed first.
        case deadline = "deadline_passed"
        /// `decide_by` passed first.
        case decideBy = "decide_by_passed"
        /// A capture the policy needs failed.
        case captureFailed = "capture_failed"
        /// An authorization lapsed.
        case expired
        /// The marketplace asked for it.
        case requested = "canceled_on_request"
        /// The PSP, or somebody in its dashboard, released what was held.
        case released = "released_by_psp"
    }

    /// What was decided.
    package var state: State
    /// Why; nil while pending.
    package var reason: Reason?
    /// When it came to this state.
    package var at: Timestamp?
    /// The payments it counts on.
    package var countsOn: Set<PaymentID>

    /// A decision that has not been made.
    package static let pending = Decision(state: .pending, reason: nil, at: nil, countsOn: [])

    /// Makes a decision.
    package init(state: State, reason: Reason?, at: Timestamp?, countsOn: Set<PaymentID>) {
        self.state = state
        self.reason = reason
        self.at = at
        self.countsOn = countsOn
    }
}
