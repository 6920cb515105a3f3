import Domain
import StrictJSON

/// What an event needs of a refund.
struct Refund {
    var id: String
    /// In Stripe's unit.
    var amount: Int64
    /// The currency in lower case.
    var currency: String
    /// The PaymentIntent; nil for a refund of a charge without one, which is never ours.
    var intent: String?
    var status: String
    /// Why it failed, as a word.
    var failureReason: String?
    var attempt: String?
    var operation: String?
    /// Whether money moved, or will.
    ///
    /// Stripe also writes a refund, without a balance transaction, for what a capture or a cancellation released.
    var movesMoney: Bool

    /// Reads the object; nil if it is no refund as Stripe documents it.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "refund", let id = json["id"]?.stringValue, !id.isEmpty,
            let amount = json["amount"]?.integerValue, let currency = json["currency"]?.stringValue,
            let status = json["status"]?.stringValue
        else { return nil }
        self.id = id
        self.amount = amount
        self.currency = currency
        self.status = status
        intent = json["payment_intent"]?.stringValue
        failureReason = json["failure_reason"]?.stringValue.flatMap(StripeError.word)
        attempt = json["metadata"]?["attempt"]?.stringValue
        operation = json["metadata"]?["operation"]?.stringValue
        let isRelease = json["reason"]?.stringValue == "expired_uncaptured_charge"
        movesMoney = !isRelease && json["balance_transaction"]?.stringValue?.isEmpty == false
    }

    /// What became of a refund that came to nothing.
    var failure: Rejection {
        let code = failureReason ?? "refund_\(StripeError.word(status) ?? "failed")"
        return Rejection(.unsupported, code: code, message: "The refund was accepted and then failed: \(code).")
    }
}
