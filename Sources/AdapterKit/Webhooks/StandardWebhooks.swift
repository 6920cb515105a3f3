public import Domain
import WireFormats

/// The signature scheme of Standard Webhooks 1.0.
///
/// `webhook-id`, `webhook-timestamp` (seconds since 1970) and the body, joined by dots, under HMAC-SHA256 with the
/// decoded secret; `webhook-signature` lists codes in base 64, each after `v1,`, of which one must match.
public enum StandardWebhooks {
    /// How far the timestamp may be from the receipt, in seconds.
    public static let toleranceSeconds: Int64 = 300

    /// The key in a secret, base 64 with or without `whsec_` before it; nil if it is empty or not base 64.
    public static func key(_ secret: Secret) -> SigningKey? {
        let text = secret.reveal()
        let prefix = "whsec_"
        let digits = text.utf8.starts(with: prefix.utf8) ? text.dropFirst(prefix.count) : text[...]
        return Base64.decode(digits).flatMap(SigningKey.init(bytes:))
    }

    /// Verifies a webhook.
    ///
    /// - Returns: its identifier, `webhook-id`, which is the same whenever it is sent again.
    /// - Throws: ``WebhookRefusal``, never `malformed`.
    public static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) -> String {
        try incoming.requireVerifiable(with: keys)
        guard let id = incoming.header("webhook-id"), !id.isEmpty,
            let time = incoming.header("webhook-timestamp"), let seconds = Int64(time),
            let signatures = incoming.header("webhook-signature")
        else { throw .unsigned }
        let codes = signatures.split(separator: " ").filter { $0.utf8.starts(with: "v1,".utf8) }
            .compactMap { Base64.decode($0.dropFirst(3)) }
        guard !codes.isEmpty else { throw .unsigned }
        let message = Array("\(id).\(time).".utf8) + incoming.body
        guard keys.authenticate(anyOf: codes, of: message) else { throw .wrongSignature }
        guard incoming.isWithin(seconds: toleranceSeconds, ofEpochSecond: seconds) else { throw .outsideTolerance }
        return id
    }
}

extension StandardWebhooks {
    /// How long a key should be, in bytes (Standard Webhooks 1.0, "Signature scheme").
    public static let keyLengthBytes = 24...64

    /// Whether the secret holds a key of a length that the specification allows.
    public static func isSound(_ secret: Secret) -> Bool {
        let text = secret.reveal()
        let digits = text.utf8.starts(with: "whsec_".utf8) ? text.dropFirst(6) : text[...]
        return Base64.decode(digits).map { keyLengthBytes.contains($0.count) } ?? false
    }

    /// The secret of a key: `whsec_` and the bytes in base 64.
    public static func secret(of key: [UInt8]) -> Secret { Secret("whsec_" + Base64.encode(key)) }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - id: `webhook-id`, the same whenever the message is sent again.
    ///   - seconds: `webhook-timestamp`, seconds since 1970.
    ///   - body: the body, byte for byte.
    ///   - keys: every key that one who verifies may have.
    /// - Returns: the value of `webhook-signature`: one code for each key, separated by spaces.
    public static func signature(id: String, seconds: Int64, body: [UInt8], with keys: [SigningKey]) -> String {
        let message = Array("\(id).\(seconds).".utf8) + body
        return keys.map { "v1," + Base64.encode($0.code(of: message)) }.joined(separator: " ")
    }
}
