/// A payment that has been divided, and what of it is fulfilled.
struct WorldpaySplit: Hashable, Sendable {
    /// A line item's amount, by the party that it is for.
    struct Item: Hashable, Sendable {
        let reference: String
        let party: String
        let amount: Int64
    }

    /// The books' identifier of the payment.
    let authorization: String
    /// The caller's name for it.
    let reference: String
    /// The line items, in their order.
    let items: [Item]
    /// The numbers of the items from 1 that have been settled and refunded, by the name of what was done.
    var fulfilled: [String: Set<Int>] = [:]
}
