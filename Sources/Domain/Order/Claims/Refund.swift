/// Money that the marketplace asked to give back after the sale, of one payment or several.
///
/// What became of it is told by its operations; see ``Order/status(of:)``.
package struct Refund: Hashable, Sendable {
    /// Who bears what the merchant's share of it comes to.
    package enum Bearer: String, Sendable, CaseIterable {
        /// The merchant.
        case merchant
        /// The marketplace.
        case marketplace
    }

    /// What becomes of it, over all its items.
    package enum Status: String, Sendable, CaseIterable {
        /// Some of it may still succeed.
        case pending
        /// All of it is given back.
        case succeeded
        /// Nothing of it is given back.
        case failed
        /// A part of it is given back, and the rest will not be.
        case partiallySucceeded = "partially_succeeded"
    }

    /// The part of it that concerns one payment.
    package struct Item: Hashable, Sendable {
        /// The payment.
        package let payment: PaymentID
        /// What is to be given back of it, in minor units, above zero.
        package let amount: Int64

        /// Makes an item.
        package init(payment: PaymentID, amount: Int64) {
            self.payment = payment
            self.amount = amount
        }
    }

    /// Its identifier.
    package let id: RefundID
    /// What is to be given back of which payment, each payment once.
    package let items: [Item]
    /// Who bears the merchant's share of it.
    package let borneBy: Bearer
    /// The marketplace's reason; empty if it gave none.
    package let reason: String
    /// When it was asked for.
    package let createdAt: Timestamp

    /// Makes a refund of which nothing was sent yet.
    package init(id: RefundID, items: [Item], borneBy: Bearer, reason: String, createdAt: Timestamp) {
        self.id = id
        self.items = items
        self.borneBy = borneBy
        self.reason = reason
        self.createdAt = createdAt
    }

    /// What is to be given back in all, in minor units.
    package var amount: Int64 { items.reduce(0) { $0 + $1.amount } }
}
