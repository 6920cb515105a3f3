import AdapterKit
import Domain
import Testing
import WireFormats
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
            subject.bareReplies = worldpayBareReplies
            subject.bareSuccesses = [
                "The answer to a cancellation has opaque links only; sent once, on a fresh connection.": [
                    "void/pending", "void/pending-by-search",
                ]
            ]
            subject.otherNames = [("eyJrIjoic2FtcGxl", "eyJrIjoib3RoZXIx")]
            subject.namesNoOperation =
                "A 202 says what is taken on, and of which payment; our reference is in events only."
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

extension AdapterUnderTest {
    /// Errors, which name what is wrong with a request but not the request, and searches without a result.
    fileprivate static let worldpayBareReplies: [String: Set<String>] = [
        "An error names what is wrong with a request, not the request; sent once, on a fresh connection.": [
            "authorize/declined-expired-card-instrument", "authorize/declined-invalid-card-not-recognized",
            "authorize/rejected-configuration-body", "authorize/rejected-configuration-endpoint",
            "authorize/rejected-configuration-entity", "authorize/rejected-configuration-field",
            "authorize/rejected-configuration-key", "authorize/rejected-configuration-media-type",
            "authorize/rejected-configuration-version", "authorize/rejected-unsupported-currency",
            "capture/rejected-amount-too-large", "capture/rejected-configuration-key",
            "capture/rejected-not-found", "inquire-authorize/rejected-not-found",
            "inquire-capture/rejected-not-found-payment", "refund/rejected-amount-too-large",
            "refund/rejected-configuration-key", "refund/rejected-not-found", "void/rejected-configuration-key",
            "void/rejected-configuration-search", "void/rejected-not-found",
        ],
        "A search without a result does not repeat what was searched.": [
            "inquire-authorize/rejected-not-found-by-search"
        ],
    ]
}
