/// A rule that an order as it stands breaks.
///
/// None of them can happen unless the machine is wrong or a stored row was changed from outside.
package enum OrderViolation: String, Sendable, CaseIterable {
    /// Captured, being captured and being voided come to more than was authorized, and nobody is told.
    case claimsExceedAuthorized = "claims_exceed_authorized"
    /// Refunded, being refunded and charged back come to more than was captured, and nobody is told.
    case claimsExceedCaptured = "claims_exceed_captured"
    /// More than one try to authorize a payment may still come to something.
    case severalOpenAttempts = "several_open_attempts"

    /// Something is held that the decision does not want, or that is less than was asked, and nothing is under way to
    /// release it.
    case heldUnwanted = "held_unwanted"
    /// Something is captured that the decision does not want, and nothing is under way to give it back.
    case capturedUnwanted = "captured_unwanted"
    /// A capture was sent before the order was cleared.
    case capturedUndecided = "captured_undecided"
    /// An all-or-nothing order is captured in part, and no capture of the rest was ever sent.
    case capturedInPart = "captured_in_part"

    /// The decision lacks its reason, its time or the payments it counts on, or has them too early.
    case decisionIncoherent = "decision_incoherent"
    /// The order was cleared on payments that do not satisfy its policy.
    case policyUnsatisfied = "policy_unsatisfied"
    /// An operation acted on an amount without having succeeded, or on more than it was asked.
    case amountWithoutSuccess = "amount_without_success"
    /// An open operation that nobody will take in hand, or a finished one that somebody would.
    case scheduleIncoherent = "schedule_incoherent"
    /// The allocation lines do not sum to what the payment asked for, captured or gave back.
    case allocationDiffers = "allocation_differs"

    /// What the PSP did by itself is taken for something that still has to be done.
    case pspOperationOpen = "psp_operation_open"
    /// An operation belongs to a refund that does not exist, or does not concern its payment, or asks for more.
    case refundIncoherent = "refund_incoherent"
    /// A dispute is of an attempt that does not exist, of nothing, or is kept twice.
    case disputeIncoherent = "dispute_incoherent"
    /// Another route was tried for a payment whose credential must not go elsewhere.
    case reroutedUnduly = "rerouted_unduly"
}
