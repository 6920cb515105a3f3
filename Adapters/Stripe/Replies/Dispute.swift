import Domain
import StrictJSON

/// What an event needs of a dispute.
struct Dispute {
    var id: String
    /// In Stripe's unit.
    var amount: Int64
    /// The currency in lower case.
    var currency: String
    /// The PaymentIntent; nil for a dispute of a charge without one, which is never ours.
    var intent: String?
    var status: String
    /// Why, as a word.
    var reason: String?
    /// Until when evidence may be sent.
    var respondBy: Timestamp?
    /// What Stripe takes for it, in its unit; nil if no movement of money says so in the dispute's currency.
    var fee: Int64?

    /// Reads the object; nil if it is no dispute as Stripe documents it.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "dispute", let id = json["id"]?.stringValue, !id.isEmpty,
            let amount = json["amount"]?.integerValue, let currency = json["currency"]?.stringValue,
            let status = json["status"]?.stringValue
        else { return nil }
        self.id = id
        self.amount = amount
        self.currency = currency
        self.status = status
        intent = json["payment_intent"]?.stringValue
        reason = json["reason"]?.stringValue.flatMap(StripeError.word)
        respondBy = json["evidence_details"]?["due_by"]?.integerValue.flatMap(LatestCharge.timestamp)
        fee = Self.fee(json["balance_transactions"], in: currency)
    }

    /// The fees of the withdrawal and, if there is one, of the reinstatement.
    private static func fee(_ movements: JSON?, in currency: String) -> Int64? {
        let movements = (movements?.arrayValue ?? []).filter { $0["currency"]?.stringValue == currency }
        let fees = movements.compactMap { $0["fee"]?.integerValue }.filter { abs($0) < 1 << 40 }
        guard !fees.isEmpty else { return nil }
        let sum = fees.prefix(20).reduce(0, +)
        return sum > 0 ? sum : nil
    }
}
