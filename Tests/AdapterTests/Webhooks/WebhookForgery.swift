import AdapterKit
import Domain
import Testing

/// Signs anything as the PSP would.
enum WebhookForgery {
    /// A webhook with this body and a good signature, received when it was signed.
    static func signed(_ adapter: String, _ body: [UInt8], id: String = "evt_forged") throws -> IncomingWebhook {
        let time = Sample.signedAt
        let headers: [Header]
        switch adapter {
        case "stripe":
            let key = try #require(SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
            let code = key.code(of: Array("\(time).".utf8) + body)
            let digits = code.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
            headers = [Header("Stripe-Signature", "t=\(time),v1=\(digits)")]
        case "simulator":
            let key = try #require(StandardWebhooks.key(Secret(Sample.webhookSecret)))
            let code = key.code(of: Array("\(id).\(time).".utf8) + body)
            headers = [
                Header("webhook-id", id), Header("webhook-timestamp", "\(time)"),
                Header("webhook-signature", "v1,\(Base64Writer.text(code))"),
            ]
        default: throw NoScheme(adapter: adapter)
        }
        return IncomingWebhook(
            body: body,
            headers: headers,
            url: "https://tributary.example",
            receivedAt: WebhookFixture.moment(time)
        )
    }

    /// No test knows how this adapter's PSP signs; add it above.
    struct NoScheme: Error { let adapter: String }
}

/// Base 64 as it is written.
enum Base64Writer {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[$1]) : 0) }
            for place in 0..<4 { text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }
}
