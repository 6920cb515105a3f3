import AdapterKit
import Domain
import StripeAdapter
import Testing

extension AdapterUnderTest {
    /// Stripe.
    static var stripe: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(StripeAdapter.self, pspReference: "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ")
            subject.bareReplies = stripeBareReplies
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

extension AdapterUnderTest {
    /// Lists without an element, and what is refused before Stripe looks at an idempotency key.
    fileprivate static let stripeBareReplies: [String: Set<String>] = [
        "The secret key or its rights are refused before the idempotency key is looked at.": [
            "authorize/rejected-configuration-key", "authorize/rejected-configuration-permission",
            "capture/rejected-configuration-key", "void/rejected-configuration-search",
        ],
        "A list without an element does not repeat what was asked for.": [
            "inquire-authorize/rejected-not-found-by-search", "inquire-refund/rejected-not-found",
        ],
    ]
}
