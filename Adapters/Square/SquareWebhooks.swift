package import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What Square says on its own.
extension SquareAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    ///
    /// An application hears of all its sellers. An event of another seller than this account's says nothing, if the
    /// account names its seller.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try SquareSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = SquareEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Reads an event.
    ///
    /// Square always names the location. One that is the account's own is the platform's, and so is none at all, which no
    /// merchant's event has.
    func read(_ event: SquareEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: event.type)
        if let merchantID, event.merchant != merchantID { return result }
        switch SquareEventReader(event: event).news {
        case .nothing: break
        case .notice(let notice, let currency, let location):
            result.merchantAccount = account(at: location)
            result.notices = [notice]
            result.currency = currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }

    private func account(at location: String?) -> NoticeAccount {
        guard let location, location != requests.ownLocation else { return .platform(location) }
        return .merchant(location)
    }
}

/// The envelope of an event.
struct SquareEvent {
    var id: String
    var type: String
    /// When Square made it.
    var at: Timestamp?
    /// The seller it happened at.
    var merchant: String?
    /// The location it happened at, if the envelope says so.
    var location: String?
    /// What it is about, as it was when the event was made: `payment`, `refund` or `dispute`, each under its own name.
    private var object: JSON?

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["event_id"]?.stringValue, let type = json["type"]?.stringValue,
            ProtocolText.isPrintable(id, limit: 255), ProtocolText.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        at = json["created_at"]?.stringValue.flatMap(SquareTime.timestamp)
        merchant = json["merchant_id"]?.stringValue
        location = json["location_id"]?.stringValue
        object = json["data"]?["object"]
    }

    /// The object of that name.
    subscript(name: String) -> JSON? { object?[name] }
}

/// The signature of a webhook: HMAC-SHA256 of the registered URL and the body, in base 64.
///
/// It has no time, so a repeated webhook verifies for ever; the inbox knows it by its event's identifier. Source:
/// "Validate Square notifications", read in November 2026.
private enum SquareSignature {
    private static let headerName = "x-square-hmacsha256-signature"

    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        try incoming.requireVerifiable(with: keys)
        guard let header = incoming.header(headerName), let code = Base64.decode(header), !code.isEmpty else {
            throw .unsigned
        }
        let message = Array(incoming.url.utf8) + incoming.body
        guard keys.authenticate(anyOf: [code], of: message) else { throw .wrongSignature }
    }
}
