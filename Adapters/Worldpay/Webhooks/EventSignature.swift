import AdapterKit
import Domain
import WireFormats

/// The signature of an event, in the header field `Event-Signature`.
///
/// `{keyId}/SHA256/{code}`, several joined by commas while a key is renewed, in any order; the code is the
/// HMAC-SHA256 of the body in hexadecimal digits. Source: "Signature" in Worldpay's documents of events and of account
/// payouts, read in November 2026. No time is signed; an event that is sent again has the same identifier.
enum EventSignature {
    /// The keys in a secret.
    ///
    /// Worldpay does not say whether its secret, which is hexadecimal digits, is used as such or as the bytes they
    /// stand for. A public integration uses the bytes; both count here, and one as much as the other takes the secret.
    static func keys(_ secret: Secret) -> [SigningKey] {
        let text = secret.reveal()
        return [Hexadecimal.decode(text), Array(text.utf8)].compactMap { $0.flatMap(SigningKey.init(bytes:)) }
    }

    /// Verifies an event on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        guard !keys.isEmpty else { throw .notConfigured }
        guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
        guard let header = incoming.header("Event-Signature") else { throw .unsigned }
        let codes = header.split(separator: ",").compactMap(code)
        guard !codes.isEmpty else { throw .unsigned }
        guard keys.authenticate(anyOf: codes, of: incoming.body) else { throw .wrongSignature }
    }

    private static func code(_ part: Substring) -> [UInt8]? {
        let fields = part.drop { $0 == " " }.split(separator: "/", omittingEmptySubsequences: false)
        guard fields.count == 3, !fields[0].isEmpty, fields[1] == "SHA256" else { return nil }
        let code = Hexadecimal.decode(fields[2])
        return code?.count == 32 ? code : nil
    }
}
