package import Domain

/// Finds payments of ours by what a line says of them.
package protocol PaymentLookup: Sendable {
    /// Answers each query in its place; nil if no reference leads to a payment of ours.
    ///
    /// At most ``Reconciler/pageLimit`` are asked for at once.
    func payments(for queries: [PaymentQuery]) async throws -> [PaymentMatchCandidate?]
}

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
