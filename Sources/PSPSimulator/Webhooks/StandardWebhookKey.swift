import Crypto

/// Signs webhooks as Standard Webhooks 1.0 says.
///
/// Written apart from what verifies them, so that the two check each other.
struct StandardWebhookKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The key in a secret, base 64 with or without `whsec_` before it; nil if it is empty or not base 64.
    init?(_ secret: String) {
        let text = secret.hasPrefix("whsec_") ? secret.dropFirst("whsec_".count) : secret[...]
        guard let bytes = Base64.decode(text), !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// The value of `webhook-signature`.
    func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let message = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes))
        return "v1," + Base64.encode(Array(code))
    }
}
