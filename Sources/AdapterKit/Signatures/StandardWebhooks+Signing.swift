public import Domain

extension StandardWebhooks {
    /// How long a key should be, in bytes (Standard Webhooks 1.0, "Signature scheme").
    public static let keyLengthBytes = 24...64

    /// Whether the secret holds a key of a length that the specification allows.
    public static func isSound(_ secret: Secret) -> Bool {
        let text = secret.reveal()
        let digits = text.hasPrefix("whsec_") ? text.dropFirst(6) : text[...]
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
