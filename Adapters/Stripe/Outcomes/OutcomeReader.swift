import AdapterKit
import Domain

/// Reads what became of one call out of Stripe's replies.
struct OutcomeReader {
    let call: Call
    let unit: StripeUnit
    /// The call's amount in Stripe's unit.
    let asked: Int64

    /// A fee in Stripe's unit; the amount is nil if there is no fee.
    struct Fee {
        var amount: Int64?
    }

    /// The fee in Stripe's unit; nil if Stripe cannot express it.
    func fee(_ minorUnits: Int64?) -> Fee? {
        guard let minorUnits else { return Fee(amount: nil) }
        return unit.amount(minorUnits).map { Fee(amount: $0) }
    }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// The intent in the reply, if it is the one named, the attempt's, and of the call's currency.
    func intent(_ json: PaymentIntent?, named id: String) -> PaymentIntent? {
        guard let json, json.id == id, isOurs(json), json.currency == unit.code else { return nil }
        return json
    }

    /// Whether the intent is the attempt's: a reply with another one answers another request.
    func isOurs(_ intent: PaymentIntent) -> Bool {
        intent.attempt == call.attempt.text && (call.pspReference == nil || intent.id == call.pspReference)
    }
}
