import AdapterKit
import Domain
import SquareAdapter
import Testing

extension AdapterUnderTest {
    /// Square.
    ///
    /// Nothing is asked of the buyer behind the checkout page, and its signatures have no time.
    static var square: AdapterUnderTest {
        get throws {
            let settings = AdapterSettings(
                account: "sample",
                baseURL: "https://psp.example",
                credentials: [
                    "access_token": Secret(Sample.secretKey), "location_id": Secret(SquareSample.location),
                    "webhook_secret": Secret(Sample.webhookSecret),
                ]
            )
            var subject = try AdapterUnderTest(
                SquareAdapter.self,
                settings: settings,
                pspReference: SquareSample.payment
            )
            subject.pspState = SquareSample.state
            subject.bareReplies = squareBareReplies
            subject.bareSuccesses = squareBareSuccesses
            subject.bareSearches = "A list is of all payments or refunds of some time, whatever is looked for in it."
            subject.longCredential = .pspToken
            subject.lacks = ["webhook/authorize-action-required", "webhook/refused-outside-tolerance"]
            subject.keysByAttempt = true
            subject.requestsWithoutKey = ["/complete", "/v2/payments/\(SquareSample.payment)/cancel"]
            var scheme = WebhookScheme(otherSecret: "sq_another_signature_key") { body, _ in
                let key = try #require(SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
                let code = Base64Writer.text(key.code(of: Array("https://tributary.example".utf8) + body))
                let header = Header("x-square-hmacsha256-signature", code)
                return WebhookScheme.Sealed(body: body, headers: [header])
            }
            scheme.isTimed = false
            subject.webhooks = scheme
            return subject
        }
    }

    /// What belongs to Square alone.
    var isSquare: Bool { name == SquareAdapter.name }
}

extension AdapterUnderTest {
    /// Errors, which name what is wrong with a request but not the request, and lists that are not asked by a name.
    fileprivate static let squareBareReplies: [String: Set<String>] = [
        "The token or its rights are refused.": [
            "authorize/rejected-configuration-access-token", "authorize/rejected-configuration-scopes",
            "capture/rejected-configuration-access-token", "capture/rejected-configuration-search",
            "refund/rejected-configuration-access-token", "void/rejected-configuration-access-token",
            "void/rejected-configuration-by-key", "void/rejected-configuration-search",
        ],
        "An error names the field or the reason; the payment may be left out even of a decline.": [
            "authorize/declined-authentication-required", "authorize/declined-expired-card",
            "authorize/declined-generic", "authorize/declined-generic-unheard-of-code",
            "authorize/declined-insufficient-funds-gift-card",
            "authorize/declined-invalid-card", "authorize/declined-invalid-card-behind-another-code",
            "authorize/declined-invalid-card-data", "authorize/declined-limit-exceeded",
            "authorize/declined-not-permitted", "authorize/rejected-configuration-parameter",
            "authorize/rejected-configuration-permissions", "authorize/rejected-configuration-source-expired",
            "authorize/rejected-configuration-source-unknown", "authorize/rejected-configuration-source-used",
            "authorize/rejected-unsupported-fees", "authorize/rejected-unsupported-source",
            "refund/rejected-configuration-parameter",
        ],
        "404 names no object.": [
            "capture/rejected-not-found-at-completion", "capture/rejected-not-found-at-update",
            "capture/rejected-not-found-payment", "inquire-authorize/rejected-not-found",
            "inquire-capture/rejected-not-found-payment", "refund/rejected-not-found", "void/rejected-not-found",
        ],
        "A list is of all payments or refunds of some time, whatever is looked for in it.": [
            "inquire-authorize/rejected-not-found-among-others",
            "inquire-authorize/rejected-not-found-by-search", "inquire-authorize/rejected-not-found-on-any-page",
            "inquire-refund/pending", "inquire-refund/rejected-not-found",
            "inquire-refund/rejected-not-found-among-others", "inquire-refund/rejected-unsupported-failed",
            "inquire-refund/succeeded", "inquire-refund/succeeded-on-the-second-page",
            "inquire-void/rejected-not-found-by-search", "refund/pending-found-after-refusal",
            "refund/rejected-configuration-permissions",
            "refund/rejected-not-settled-yet", "refund/rejected-not-settled-yet-another-pending",
            "refund/rejected-amount-too-large", "refund/rejected-unsupported-disputed",
            "refund/succeeded-found-after-refusal",
        ],
    ]
}

extension AdapterUnderTest {
    /// What Square answers with an empty object.
    fileprivate static let squareBareSuccesses: [String: Set<String>] = [
        "A cancellation by key is answered with an empty object.": [
            "void/succeeded-by-key", "void/succeeded-by-key-without-errors",
        ]
    ]
}
