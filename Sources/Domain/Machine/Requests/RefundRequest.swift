/// What the marketplace wants given back of an order.
package struct RefundRequest: Hashable, Sendable {
    /// How much of which payment.
    package enum Share: Hashable, Sendable {
        /// All that is left.
        case all
        /// An amount, which says enough only if one payment is captured.
        case amount(Int64)
        /// An amount, divided in proportion to what is still refundable (largest remainder).
        case proportional(Int64)
        /// Amounts of payments, each payment once.
        case items([Refund.Item])
    }

    /// How much of which payment.
    package let share: Share
    /// Who bears the merchants' share of it.
    package let borneBy: Refund.Bearer
    /// The marketplace's reason; empty for none.
    package let reason: String

    /// Makes a request.
    package init(_ share: Share, borneBy: Refund.Bearer = .merchant, reason: String = "") {
        self.share = share
        self.borneBy = borneBy
        self.reason = reason
    }
}
