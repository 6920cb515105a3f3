package import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What Checkout.com says on its own.
extension CheckoutAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try CheckoutSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = CheckoutEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    private func read(_ event: CheckoutEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: event.type)
        switch CheckoutEventReader(event: event, ownEntity: account.ownEntity).news {
        case .nothing: break
        case .notice(let news):
            result.merchantAccount = news.merchantAccount
            result.notices = [news.notice]
            result.currency = news.currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }
}

/// The envelope of an event, and what `data` says whatever the type.
struct CheckoutEvent {
    /// `evt_…`.
    var id: String
    var type: String
    /// When the thing happened, else when Checkout.com made the event.
    var at: Timestamp?
    var data: JSON

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, let type = json["type"]?.stringValue,
            ProtocolText.isPrintable(id, limit: 255), ProtocolText.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        data = json["data"] ?? .null
        let times = [data["processed_on"], data["date"], json["created_on"], json["timestamp"]]
        at = times.lazy.compactMap { $0?.stringValue.flatMap { RFC3339.timestamp($0) } }.first
    }

    /// The text of a member of `data`.
    func text(_ key: String) -> String? { data[key]?.stringValue }

    /// A member of `data` if it is a word of the protocol.
    func word(_ key: String) -> String? { text(key).flatMap(ProtocolText.word) }

    /// A name of Checkout.com's in `data`, with the prefix it has to have.
    func name(_ key: String, _ prefix: String) -> String? { word(key).flatMap { $0.hasPrefix(prefix) ? $0 : nil } }
}

/// The header `Cko-Signature`: HMAC-SHA256 of the body under the workflow's signature key, in hexadecimal.
///
/// Source: "Receive webhooks", read in November 2026. The scheme has no time, so an old webhook verifies for ever; the
/// event's identifier tells it from a new one.
private enum CheckoutSignature {
    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, neither `malformed` nor `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        try incoming.requireVerifiable(with: keys)
        guard let code = incoming.header("Cko-Signature").flatMap(Hexadecimal.decode), !code.isEmpty else {
            throw .unsigned
        }
        guard keys.authenticate(anyOf: [code], of: incoming.body) else { throw .wrongSignature }
    }
}
