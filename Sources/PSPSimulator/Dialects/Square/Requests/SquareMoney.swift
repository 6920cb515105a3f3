import StrictJSON

/// An amount in minor units and its currency's code, as Square's `Money`.
struct SquareMoney: Hashable, Sendable {
    let amount: Int64
    let currency: String

    /// The document.
    var json: JSON { ["amount": .integer(amount), "currency": .string(currency)] }
}
