/// A payment that has been divided, and what of it is fulfilled.
struct WorldpaySplit: Hashable, Sendable {
    /// A line item: the caller's name for it, and its amount.
    struct Item: Hashable, Sendable {
        let reference: String
        let amount: Int64
    }

    /// The books' identifier of the payment.
    let authorization: String
    /// The line items, in their order.
    let items: [Item]
    private var fulfilled: [String: Set<Int>] = [:]
    private var spent: [String: Int64] = [:]

    /// Divides a payment.
    init(authorization: String, items: [Item]) {
        self.authorization = authorization
        self.items = items
    }

    /// Notes that a settlement or a refund was for some of the items.
    ///
    /// - Parameters:
    ///   - numbers: the items' places, from 1.
    ///   - type: `settle`, or `refund`, which an item can be once it is settled.
    ///   - command: the settlement or refund.
    ///   - amount: how much it is, in minor units; it may be for several items, one after another.
    /// - Returns: false, and nothing is noted, if an item was fulfilled before or the amount is not enough.
    mutating func fulfill(_ numbers: Set<Int>, _ type: String, by command: String, of amount: Int64) -> Bool {
        let sum = numbers.reduce(spent[command] ?? 0) { $0 + items[$1 - 1].amount }
        guard sum <= amount, fulfilled[type, default: []].isDisjoint(with: numbers),
            type == "settle" || fulfilled["settle", default: []].isSuperset(of: numbers)
        else { return false }
        fulfilled[type, default: []].formUnion(numbers)
        spent[command] = sum
        return true
    }
}
