/// What a checkout changes of a stored payment request while its sheet is open, for example with the shipping.
package struct PaymentRequestRevision: Hashable, Sendable {
    /// The new total in minor units, at least 1.
    package var amount: Int64
    /// Whether what the contexts leave of the amount stays uncharged; nil leaves it as stored.
    package var acceptsResidual: Bool?
    /// The new contexts; nil leaves them as stored.
    package var contexts: [PaymentRequestDraft.Context]?

    /// Makes a revision.
    package init(amount: Int64, acceptsResidual: Bool? = nil, contexts: [PaymentRequestDraft.Context]? = nil) {
        self.amount = amount
        self.acceptsResidual = acceptsResidual
        self.contexts = contexts
    }
}
