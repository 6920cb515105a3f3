import AdapterKit
import AdyenAdapter
import Domain
import Testing

extension AdapterUnderTest {
    /// Adyen.
    static var adyen: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(
                AdyenAdapter.self,
                settings: AdyenSample.settings,
                pspReference: AdyenSample.payment
            )
            subject.shortCredential = .encryptedApplePay
            subject.longCredential = .networkToken
            let ends = ["capture", "void", "refund"].map { "\($0)/succeeded" }
            let inquiries = ["authorize", "capture", "void", "refund"].flatMap {
                ["inquire-\($0)/succeeded", "inquire-\($0)/unknown"]
            }
            // Nothing is signed in time, and Adyen tells no step of the buyer's by webhook.
            let webhooks = ["webhook/authorize-action-required", "webhook/refused-outside-tolerance"]
            subject.lacks = Set(ends + inquiries + webhooks)
            subject.bareReplies = adyenBareReplies
            var scheme = WebhookScheme(otherSecret: AdyenSample.otherSecret) { payload, _ in
                let headers = [Header("Content-Type", "application/json; charset=utf-8")]
                return WebhookScheme.Sealed(body: try AdyenSample.signed(payload), headers: headers)
            }
            scheme.isTimed = false
            scheme.signsWholeBody = false
            scheme.needsEveryHeader = false
            subject.webhooks = scheme
            return subject
        }
    }
}

extension AdapterUnderTest {
    /// What Adyen refuses before it looks at an idempotency key.
    fileprivate static let adyenBareReplies: [String: Set<String>] = [
        "The API key is refused before the idempotency key is looked at; it is the same for every request.": [
            "authorize/rejected-configuration-key", "void/rejected-configuration",
        ]
    ]
}
