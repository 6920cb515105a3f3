import AdapterKit
import WireFormats

/// The header `Stripe-Signature`: `t=` seconds since 1970, and `v1=` HMAC-SHA256 codes in hexadecimal.
///
/// Source: "Receive Stripe events in your webhook endpoint", read in November 2026. There are several codes while a
/// secret is rotated; other schemes, such as `v0` of test events, are ignored.
struct StripeSignature {
    /// How far the timestamp may be from the receipt, in seconds; the default of Stripe's libraries.
    static let toleranceSeconds: Int64 = 300

    /// The timestamp as it is written, which is what is signed.
    private let time: Substring
    private let seconds: Int64
    private let codes: [[UInt8]]

    /// Reads the header; nil if it lacks a timestamp or a code, or has more than one timestamp.
    init?(_ header: String) {
        var times: [Substring] = []
        var codes: [[UInt8]] = []
        for part in header.split(separator: ",") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "t": times.append(pair[1])
            case "v1": if let code = Hexadecimal.decode(pair[1]), !code.isEmpty { codes.append(code) }
            default: break
            }
        }
        guard times.count == 1, let seconds = Int64(times[0]), !codes.isEmpty else { return nil }
        time = times[0]
        self.seconds = seconds
        self.codes = codes
    }

    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        guard !keys.isEmpty else { throw .notConfigured }
        guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
        guard let header = incoming.header("Stripe-Signature"), let signature = StripeSignature(header) else {
            throw .unsigned
        }
        let message = Array("\(signature.time).".utf8) + incoming.body
        guard keys.authenticate(anyOf: signature.codes, of: message) else { throw .wrongSignature }
        guard incoming.isWithin(seconds: toleranceSeconds, ofEpochSecond: signature.seconds) else {
            throw .outsideTolerance
        }
    }
}
