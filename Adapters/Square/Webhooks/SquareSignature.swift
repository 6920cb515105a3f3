import AdapterKit
import WireFormats

/// The signature of a webhook: HMAC-SHA256 of the registered URL and the body, in base 64.
///
/// It has no time, so a repeated webhook verifies for ever; the inbox knows it by its event's identifier. Source:
/// "Validate Square notifications", read in November 2026.
enum SquareSignature {
    private static let headerName = "x-square-hmacsha256-signature"

    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        guard !keys.isEmpty else { throw .notConfigured }
        guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
        guard let header = incoming.header(headerName), let code = Base64.decode(header), !code.isEmpty else {
            throw .unsigned
        }
        let message = Array(incoming.url.utf8) + incoming.body
        guard keys.authenticate(anyOf: [code], of: message) else { throw .wrongSignature }
    }
}
