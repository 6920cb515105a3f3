package import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What Authorize.Net says on its own.
extension AuthorizeNetAdapter: WebhookListener {
    /// Verifies the signature and reads the notification.
    ///
    /// Its amounts have no currency; they are in the account's. It names no merchant account, of which Authorize.Net
    /// knows none.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try AuthorizeNetSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = AuthorizeNetEvent(json) else {
                throw .malformed
            }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    private func read(_ event: AuthorizeNetEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: event.type)
        switch AuthorizeNetEventReader(event: event, currency: currency).news {
        case .nothing: break
        case .remarkable(let remark): result.remark = remark
        case .notice(let notice):
            result.notices = [notice]
            result.currency = currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }
}

/// The envelope of a notification.
struct AuthorizeNetEvent {
    /// The same whenever it is sent again.
    var id: String
    var type: String
    /// When Authorize.Net made it.
    var at: Timestamp?
    /// What it is about.
    var payload: JSON?

    /// Reads the body; nil if it is no notification.
    init?(_ json: JSON) {
        guard let id = json["notificationId"]?.stringValue, let type = json["eventType"]?.stringValue,
            ProtocolText.isPrintable(id, limit: 255), ProtocolText.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        at = json["eventDate"]?.stringValue.flatMap(UTCTime.timestamp)
        payload = json["payload"]
    }
}

/// The header `X-ANET-Signature`: `sha512=` and the HMAC-SHA512 of the body in hexadecimal digits.
///
/// Source: integrations that run, read in November 2026; they follow the vendor's page "Webhooks". There is no time in
/// it: an old webhook can be sent again, so whoever stores the events has to know them by their identifier.
enum AuthorizeNetSignature {
    /// The keys in a signature key, 128 hexadecimal digits.
    ///
    /// Integrations that run use the digits' text; the vendor's guide to another hash uses the bytes that they name.
    /// Both count, because nobody can make either without the signature key.
    static func keys(of secret: Secret) -> [SHA512SigningKey] {
        let text = secret.reveal()
        return [Array(text.utf8), Hexadecimal.decode(text) ?? []].compactMap(SHA512SigningKey.init(bytes:))
    }

    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SHA512SigningKey]) throws(WebhookRefusal) {
        try incoming.requireVerifiable(with: keys)
        let scheme = "sha512="
        guard let header = incoming.header("X-ANET-Signature"), header.lowercased().hasPrefix(scheme),
            let code = Hexadecimal.decode(header.dropFirst(scheme.count)), !code.isEmpty
        else { throw .unsigned }
        guard keys.authenticate(code, of: incoming.body) else { throw .wrongSignature }
    }
}
