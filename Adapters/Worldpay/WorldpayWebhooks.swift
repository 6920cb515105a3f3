package import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What Worldpay says on its own.
extension WorldpayAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try EventSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = WorldpayEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Reads an event, none of which names the merchant entity.
    ///
    /// The same type is used for payments and payouts, so that the classification is part of it.
    private func read(_ event: WorldpayEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: "\(event.classification).\(event.type)")
        result.add(WorldpayEventReader(event: event).news)
        return result
    }
}

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
        guard let id = json["eventId"]?.stringValue, ProtocolText.isPrintable(id, limit: 255),
            let details = json["eventDetails"],
            let classification = details["classification"]?.stringValue,
            ProtocolText.isPrintable(classification, limit: 40),
            let type = details["type"]?.stringValue, ProtocolText.isPrintable(type, limit: 60)
        else { return nil }
        self.id = id
        self.classification = classification
        self.type = type
        attempt = details["transactionReference"]?.stringValue.flatMap { AttemptID($0) }
        reference = details["reference"]?.stringValue.flatMap(ProtocolText.word)
        currency = details["amount"]?["currencyCode"]?.stringValue.flatMap { Currency(code: $0) }
        amount = details["amount"]?["value"]?.integerValue
        code = details["refund"]?["refusal"]?["code"]?.stringValue.flatMap(ProtocolText.word)
    }
}

/// The signature of an event, in the header field `Event-Signature`.
///
/// `{keyId}/SHA256/{code}`, several joined by commas while a key is renewed, in any order; the code is the
/// HMAC-SHA256 of the body in hexadecimal digits. Source: "Signature" in Worldpay's documents of events and of account
/// payouts, read in November 2026. No time is signed; an event that is sent again has the same identifier.
enum EventSignature {
    /// The keys in a secret.
    ///
    /// Worldpay does not say whether its secret, which is hexadecimal digits, is used as such or as the bytes they
    /// stand for. A public integration uses the bytes; both count here, and one as much as the other takes the secret.
    static func keys(_ secret: Secret) -> [SigningKey] {
        let text = secret.reveal()
        return [Hexadecimal.decode(text), Array(text.utf8)].compactMap { $0.flatMap(SigningKey.init(bytes:)) }
    }

    /// Verifies an event on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        try incoming.requireVerifiable(with: keys)
        guard let header = incoming.header("Event-Signature") else { throw .unsigned }
        let codes = header.split(separator: ",").compactMap(code)
        guard !codes.isEmpty else { throw .unsigned }
        guard keys.authenticate(anyOf: codes, of: incoming.body) else { throw .wrongSignature }
    }

    private static func code(_ part: Substring) -> [UInt8]? {
        let fields = part.drop { $0 == " " }.split(separator: "/", omittingEmptySubsequences: false)
        guard fields.count == 3, !fields[0].isEmpty, fields[1] == "SHA256" else { return nil }
        let code = Hexadecimal.decode(fields[2])
        return code?.count == 32 ? code : nil
    }
}
