import StrictJSON

/// An amount as Square writes it, in minor units.
struct SquareMoney {
    var amount: Int64
    /// The alphabetic code of ISO 4217.
    var currency: String

    /// Reads the object; nil if it lacks one of the two or the amount is negative.
    init?(_ json: JSON) {
        guard let amount = json["amount"]?.integerValue, amount >= 0, let currency = json["currency"]?.stringValue
        else { return nil }
        self.amount = amount
        self.currency = currency
    }
}
