import Domain
import StrictJSON

/// What an outcome needs of a PaymentIntent's expanded charge.
struct LatestCharge {
    var id: String
    /// What was authorized, in Stripe's unit.
    var amount: Int64
    /// When an uncaptured authorization lapses.
    var captureBefore: Timestamp?
    var network: String?
    var last4: String?

    /// Reads the object; nil if it is no charge.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "charge", let id = json["id"]?.stringValue, !id.isEmpty,
            let amount = json["amount"]?.integerValue
        else { return nil }
        self.id = id
        self.amount = amount
        let card = json["payment_method_details"]?["card"]
        captureBefore = card?["capture_before"]?.integerValue.flatMap(Self.timestamp)
        network = (card?["network"]?.stringValue ?? card?["brand"]?.stringValue).flatMap(StripeError.word)
        last4 = card?["last4"]?.stringValue.flatMap(StripeError.word)
    }

    /// A moment that Stripe gives in seconds; nil if it is none.
    static func timestamp(seconds: Int64) -> Timestamp? {
        let (microseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflowed || seconds <= 0 ? nil : Timestamp(microseconds: microseconds)
    }
}
