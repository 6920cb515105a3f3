import Domain
import StrictJSON

/// What an event needs of a dispute.
struct SquareDispute {
    var id: String
    /// In minor units.
    var amount: Int64
    var currency: String
    /// The disputed payment.
    var payment: String?
    var state: String
    /// Why, as a word.
    var reason: String?
    /// Until when evidence may be sent.
    var respondBy: Timestamp?
    var location: String?

    /// Reads the object; nil if it is no dispute as Square documents it.
    ///
    /// Older versions call its identifier `dispute_id`.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue ?? json["dispute_id"]?.stringValue, !id.isEmpty,
            let money = json["amount_money"].flatMap(SquareMoney.init), money.amount > 0,
            let state = json["state"]?.stringValue
        else { return nil }
        self.id = id
        self.state = state
        amount = money.amount
        currency = money.currency
        payment = json["disputed_payment"]?["payment_id"]?.stringValue
        reason = json["reason"]?.stringValue.flatMap(SquareError.word)
        respondBy = json["due_at"]?.stringValue.flatMap(SquareTime.timestamp)
        location = json["location_id"]?.stringValue
    }
}
