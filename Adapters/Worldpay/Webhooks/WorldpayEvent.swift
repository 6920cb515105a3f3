import Domain
import StrictJSON

/// An event as Worldpay sends it.
struct WorldpayEvent {
    var id: String
    /// `payment`, `payout` or `chargeback`.
    var classification: String
    /// For example `sentForSettlement`.
    var type: String
    /// Our attempt; nil if the payment is none of ours.
    var attempt: AttemptID?
    /// What we, or a person in Worldpay's portal, called a partial settlement or a partial refund.
    var reference: String?
    /// In minor units of the currency.
    var amount: Int64?
    var currency: Currency?
    /// The code of a refusal, of a refund that was authorized online.
    var code: String?

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["eventId"]?.stringValue, Self.isPrintable(id, limit: 255),
            let details = json["eventDetails"],
            let classification = details["classification"]?.stringValue, Self.isPrintable(classification, limit: 40),
            let type = details["type"]?.stringValue, Self.isPrintable(type, limit: 60)
        else { return nil }
        self.id = id
        self.classification = classification
        self.type = type
        attempt = details["transactionReference"]?.stringValue.flatMap { AttemptID($0) }
        reference = details["reference"]?.stringValue.flatMap(WorldpayRefusal.word)
        currency = details["amount"]?["currencyCode"]?.stringValue.flatMap { Currency(code: $0) }
        amount = details["amount"]?["value"]?.integerValue
        code = details["refund"]?["refusal"]?["code"]?.stringValue.flatMap(WorldpayRefusal.word)
    }

    private static func isPrintable(_ text: String, limit: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
