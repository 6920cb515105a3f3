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
            subject.bareReplies = checkoutBareReplies
            subject.bareTokens = "The answer to POST /tokens has the token and the card, nothing of ours."
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

extension AdapterUnderTest {
    /// Errors, which have a request identifier of Checkout.com's only, and lists without an element.
    fileprivate static let checkoutBareReplies: [String: Set<String>] = [
        "401 and 403 have no body.": [
            "authorize/rejected-configuration-forbidden", "authorize/rejected-configuration-key",
            "authorize/rejected-configuration-key-with-a-message", "capture/rejected-configuration-key",
            "capture/rejected-configuration-search", "refund/rejected-configuration-key",
            "refund/rejected-configuration-search", "void/rejected-configuration-key",
            "void/rejected-configuration-search",
        ],
        "404 has no body.": [
            "capture/rejected-not-found", "inquire-authorize/rejected-not-found", "refund/rejected-not-found",
            "void/rejected-not-found",
        ],
        "422 names what is wrong with a request, not the request.": [
            "authorize/declined-expired-card-refused", "authorize/rejected-configuration-request",
            "authorize/rejected-configuration-token", "authorize/rejected-unsupported-currency",
            "authorize/rejected-unsupported-processing",
        ],
        "A list without an element does not repeat what was asked for; the payment itself is known to be declined.": [
            "inquire-authorize/declined-generic-untold"
        ],
        "A search without a result does not repeat what was searched.": [
            "inquire-authorize/rejected-not-found-by-search",
            "inquire-capture/rejected-not-found-by-search", "inquire-refund/rejected-not-found-by-search",
            "inquire-void/rejected-not-found-by-search",
        ],
    ]
}
