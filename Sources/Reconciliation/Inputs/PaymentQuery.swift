package import Domain

/// What a line that nothing explains says of the payment it is about.
package struct PaymentQuery: Hashable, Sendable {
    /// The account whose report it stands in.
    package let account: PSPAccountName
    /// Our attempt.
    package let attempt: AttemptID?
    /// Our operation.
    package let operation: OperationID?
    /// The PSP's name of the payment.
    package let paymentReference: String?
    /// The PSP's name of the capture, refund or dispute.
    package let objectReference: String?
}
