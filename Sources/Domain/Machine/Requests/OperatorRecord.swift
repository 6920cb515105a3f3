/// What a PSP did to a payment without telling us, as an operator found it there.
package struct OperatorRecord: Hashable, Sendable {
    /// What it did.
    package enum Deed: Hashable, Sendable {
        /// It took an amount in minor units; the rest of the hold is released if that was the last capture.
        case capture(amount: Int64, isFinal: Bool)
        /// It released what is held.
        case void
        /// It gave an amount back, in minor units.
        case refund(amount: Int64)
        /// The buyer's bank disputes the payment.
        case dispute(DisputeNotice)

        /// Its name, as commands and events spell it.
        package var name: String {
            switch self {
            case .capture: "capture"
            case .void: "void"
            case .refund: "refund"
            case .dispute: "dispute"
            }
        }

        /// The amount in minor units; nil for a void.
        package var amount: Int64? {
            switch self {
            case .capture(let amount, isFinal: _), .refund(let amount): amount
            case .dispute(let dispute): dispute.amount
            case .void: nil
            }
        }
    }

    /// The payment.
    package let payment: PaymentID
    /// What was done to it.
    package let deed: Deed
    /// The PSP's name for it, under which its own word later changes nothing; nil if it is not known.
    package let reference: String?

    /// Makes a record.
    package init(_ deed: Deed, of payment: PaymentID, reference: String? = nil) {
        self.payment = payment
        self.deed = deed
        self.reference = reference
    }
}
