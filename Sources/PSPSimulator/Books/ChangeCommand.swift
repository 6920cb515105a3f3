/// A request to capture, void or refund.
package struct ChangeCommand: Hashable, Sendable {
    /// How the caller names the authorization.
    package enum Target: Hashable, Sendable {
        /// By the simulator's identifier.
        case id(String)
        /// By the caller's own reference, which must be of one authorization only.
        case reference(String)
    }

    /// `capture`, `void` or `refund`.
    package var kind: OperationKind
    /// The authorization.
    package var target: Target
    /// The caller's name for the operation.
    package var reference: String
    /// The amount in minor units, above 0; nil for a void, and for all that can be captured or refunded.
    package var amount: Int64?
    /// The commission to keep or to give back, in minor units.
    package var applicationFee: Int64?
    /// For a capture: whether what is not taken is released.
    package var isFinal: Bool
    /// The caller's own notes.
    package var metadata: [String: String] = [:]
    /// What a PSP's dialect wants back and the books do not understand.
    package var details: [String: String] = [:]
    /// For a void: whether it refunds what is left of a payment that has been captured.
    package var isReversal = false
    /// How it is worked on unless the token says otherwise; nil if it is done at once.
    package var pace: Pace?

    /// Makes a command.
    package init(
        _ kind: OperationKind,
        of target: Target,
        reference: String,
        amount: Int64? = nil,
        applicationFee: Int64? = nil,
        isFinal: Bool = true
    ) {
        self.kind = kind
        self.target = target
        self.reference = reference
        self.amount = amount
        self.applicationFee = applicationFee
        self.isFinal = isFinal
    }
}
