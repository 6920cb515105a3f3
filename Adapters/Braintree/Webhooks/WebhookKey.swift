import AdapterKit
import Domain

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
