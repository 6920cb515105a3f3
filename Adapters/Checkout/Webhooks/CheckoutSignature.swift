import AdapterKit
import WireFormats

/// The header `Cko-Signature`: HMAC-SHA256 of the body under the workflow's signature key, in hexadecimal.
///
/// Source: "Receive webhooks", read in November 2026. The scheme has no time, so an old webhook verifies for ever; the
/// event's identifier tells it from a new one.
enum CheckoutSignature {
    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, neither `malformed` nor `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        guard !keys.isEmpty else { throw .notConfigured }
        guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
        guard let code = incoming.header("Cko-Signature").flatMap(Hexadecimal.decode), !code.isEmpty else {
            throw .unsigned
        }
        guard keys.authenticate(anyOf: [code], of: incoming.body) else { throw .wrongSignature }
    }
}
