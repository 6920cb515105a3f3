import AdapterKit
import WireFormats

/// The signature of a notification: HMAC-SHA1 over `bt_payload`, or over it and a line break, in hexadecimal.
///
/// Source: Braintree's own libraries (braintree_ruby 4.38, May 2026), which the documents leave it to. The signature names
/// each of the account's API keys with its code. No time is signed apart from the payload, which has one inside.
enum BraintreeSignature {
    /// Verifies a webhook.
    ///
    /// - Returns: the XML of the notification, as it came out of base 64; empty if it was not base 64.
    /// - Throws: ``WebhookRefusal``, never `malformed` or `outsideTolerance`.
    static func verify(_ incoming: IncomingWebhook, with keys: [WebhookKey]) throws(WebhookRefusal) -> [UInt8] {
        guard !keys.isEmpty else { throw .notConfigured }
        guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
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
