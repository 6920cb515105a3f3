/// Finds payments of ours by what a line says of them.
package protocol PaymentLookup: Sendable {
    /// Answers each query in its place; nil if no reference leads to a payment of ours.
    ///
    /// At most ``Reconciler/pageLimit`` are asked for at once.
    func payments(for queries: [PaymentQuery]) async throws -> [KnownPayment?]
}
