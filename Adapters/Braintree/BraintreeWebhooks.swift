package import AdapterKit
import Domain
import WireFormats

/// What Braintree says on its own.
extension BraintreeAdapter: WebhookListener {
    /// Verifies the signature and reads the notification.
    ///
    /// A notification has no identifier: its kind, what it is about and its time make one.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            let document = try BraintreeSignature.verify(incoming, with: webhookKeys)
            guard let notification = Notification(document) else { throw .malformed }
            return .read([read(notification, of: incoming)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Proves to Braintree that the endpoint has the account's key: `public_key|` and the challenge's code.
    ///
    /// Source: Braintree's own libraries (`webhook_notification.verify`), read in 2026-11. A challenge is 20 to 32
    /// hexadecimal digits, so that nobody has anything else signed here.
    package func challenge(_ query: String) -> WireReply? {
        let prefix = "bt_challenge="
        let values = query.split(separator: "&").filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        guard values.count == 1, let key = webhookKeys.first, (20...32).contains(values[0].utf8.count),
            values[0].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        let code = Hexadecimal.encode(key.key.code(of: Array(values[0].utf8)))
        return WireReply(
            status: 200,
            headers: [Header("Content-Type", "text/plain")],
            body: Array("\(key.publicKey)|\(code)".utf8)
        )
    }

    private func read(_ notification: Notification, of incoming: IncomingWebhook) -> WebhookEvent {
        let object = notification.object ?? incoming.bodyHash
        var event = WebhookEvent(
            id: "\(notification.kind):\(object.prefix(120)):\(notification.time)",
            type: notification.kind,
            merchantAccount: merchantAccount(of: notification)
        )
        event.add(BraintreeEventReader(notification: notification).news)
        return event
    }

    /// The merchant account of what it is about, which is the platform's own if the account declares it.
    ///
    /// Braintree always names it, so that what names none is not taken for a merchant's.
    private func merchantAccount(of notification: Notification) -> NoticeAccount {
        guard let account = notification.subject?.value("merchant-account-id") else { return .platform() }
        return ownAccounts.contains(account) ? .platform(account) : .merchant(account)
    }
}

/// The two fields of the form that Braintree posts.
private struct WebhookForm {
    /// `public_key|code` pairs, joined by `&`.
    let signature: String
    /// Base 64 with line breaks, as it was signed.
    let payload: String

    /// Reads a body; nil if a field is missing, comes twice, is not ASCII, or is not encoded as forms are.
    ///
    /// Other fields are none of Braintree's, and nothing is verified yet.
    init?(_ body: [UInt8]) {
        var fields: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1]),
                ["bt_signature", "bt_payload"].contains(name), fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        guard let signature = fields["bt_signature"], let payload = fields["bt_payload"] else { return nil }
        self.signature = signature
        self.payload = payload
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        guard let bytes = PercentEncoding.decode(text, plusIsSpace: true), bytes.allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// One API key of the account, which Braintree signs webhooks with.
///
/// Its secret is written `public_key|private_key`, the two parts as the Control Panel shows them.
struct WebhookKey: Hashable, Sendable {
    /// Names the key in a signature; not secret.
    let publicKey: String
    /// HMAC-SHA1 with the SHA-1 of the private key.
    let key: SHA1SigningKey

    /// Reads a secret; nil if it has another form.
    init?(_ secret: Secret) {
        let parts = secret.reveal().split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 2, Word.isIdentifier(String(parts[0])),
            let key = SHA1SigningKey(hashOf: Secret(String(parts[1])))
        else { return nil }
        publicKey = String(parts[0])
        self.key = key
    }
}

/// The signature of a notification: HMAC-SHA1 over `bt_payload`, or over it and a line break, in hexadecimal.
///
/// Source: Braintree's own libraries (braintree_ruby 4.38, May 2026), which the documents leave it to. The signature names
/// each of the account's API keys with its code. No time is signed apart from the payload, which has one inside.
private enum BraintreeSignature {
    /// Verifies a webhook.
    ///
    /// - Returns: the XML of the notification, as it came out of base 64; empty if it was not base 64.
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [WebhookKey]) throws(WebhookRefusal) -> [UInt8] {
        try incoming.requireVerifiable(with: keys)
        guard let form = WebhookForm(incoming.body) else { throw .unsigned }
        let pairs = form.signature.split(separator: "&").compactMap(pair)
        guard !pairs.isEmpty else { throw .unsigned }
        let message = Array(form.payload.utf8)
        var isSigned = false
        for key in keys {
            let codes = pairs.filter { $0.publicKey == key.publicKey }.map(\.code)
            guard !codes.isEmpty else { continue }
            let own = [key.key.code(of: message), key.key.code(of: message + [UInt8(ascii: "\n")])]
            for code in codes {
                for right in own where ConstantTime.areEqual(right, code) { isSigned = true }
            }
        }
        guard isSigned else { throw .wrongSignature }
        return Base64.decode(form.payload.filter { $0 != "\n" }) ?? []
    }

    private static func pair(_ text: Substring) -> (publicKey: String, code: [UInt8])? {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 2, let code = Hexadecimal.decode(parts[1]), !code.isEmpty else { return nil }
        return (String(parts[0]), code)
    }
}
