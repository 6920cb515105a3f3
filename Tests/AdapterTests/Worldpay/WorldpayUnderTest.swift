import AdapterKit
import Domain
import Testing
import WorldpayAdapter

extension AdapterUnderTest {
    /// Worldpay.
    static var worldpay: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(
                WorldpayAdapter.self,
                settings: WorldpaySample.settings,
                pspReference: WorldpaySample.payment
            )
            subject.pspState = WorldpaySample.state
            subject.shortCredential = .networkToken
            // Every later action is answered with 202 and ends by event or when asked after; nothing ever asks the
            // buyer, no dispute is told to its end, and no time is signed.
            subject.lacks = [
                "capture/succeeded", "void/succeeded", "refund/succeeded", "webhook/authorize-action-required",
                "webhook/refund-pending", "webhook/dispute-won", "webhook/dispute-lost",
                "webhook/refused-outside-tolerance",
            ]
            subject.webhooks = WebhookScheme(otherSecret: String(repeating: "0f", count: 32)) { body, _ in
                let bytes = try #require(Hexadecimal.decode(WorldpaySample.webhookSecret))
                let key = try #require(SigningKey(bytes: bytes))
                let digits = Hexadecimal.encode(key.code(of: body))
                return WebhookScheme.Sealed(body: body, headers: [Header("Event-Signature", "1/SHA256/\(digits)")])
            }
            subject.webhooks?.isTimed = false
            subject.webhooks?.tellsTime = false
            subject.webhooks?.alwaysNamesPayment = false
            subject.webhooks?.statesAmounts = false
            return subject
        }
    }
}
