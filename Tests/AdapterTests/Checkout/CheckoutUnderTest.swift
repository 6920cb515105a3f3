import AdapterKit
import CheckoutAdapter
import Domain
import Testing

extension AdapterUnderTest {
    /// Checkout.com.
    static var checkout: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(
                CheckoutAdapter.self,
                settings: CheckoutSample.settings(),
                pspReference: CheckoutSample.payment
            )
            // Captures, voids and refunds are accepted and end later; a refund that failed never succeeded; where the
            // buyer has to go is told in the answer to the request only; signatures have no time.
            subject.lacks = [
                "capture/succeeded", "void/succeeded", "refund/succeeded", "webhook/refund-reversed",
                "webhook/authorize-action-required", "webhook/refused-outside-tolerance",
            ]
            var scheme = WebhookScheme(otherSecret: "another signature key") { body, _ in
                let key = try #require(SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
                let digits = key.code(of: body).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
                return WebhookScheme.Sealed(body: body, headers: [Header("Cko-Signature", digits)])
            }
            scheme.isTimed = false
            subject.webhooks = scheme
            return subject
        }
    }
}
