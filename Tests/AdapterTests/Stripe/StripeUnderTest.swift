import AdapterKit
import Domain
import StripeAdapter
import Testing

extension AdapterUnderTest {
    /// Stripe.
    static var stripe: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(StripeAdapter.self, pspReference: "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ")
            subject.webhooks = WebhookScheme(otherSecret: "whsec_YW5vdGhlciB3ZWJob29rIHNlY3JldCwgMzIgYnl0ZXM=") {
                body,
                _ in
                let time = Sample.signedAt
                let key = try #require(SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
                let code = key.code(of: Array("\(time).".utf8) + body)
                let digits = code.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
                return WebhookScheme.Sealed(body: body, headers: [Header("Stripe-Signature", "t=\(time),v1=\(digits)")])
            }
            return subject
        }
    }
}
