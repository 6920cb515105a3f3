import AdapterKit
import Domain
import WireFormats

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
        guard !keys.isEmpty else { throw .notConfigured }
        guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
        let scheme = "sha512="
        guard let header = incoming.header("X-ANET-Signature"), header.lowercased().hasPrefix(scheme),
            let code = Hexadecimal.decode(header.dropFirst(scheme.count)), !code.isEmpty
        else { throw .unsigned }
        guard keys.authenticate(code, of: incoming.body) else { throw .wrongSignature }
    }
}
