import Crypto
import CurlTransport
import StrictJSON

/// Stripe's API v1, in the version `2026-05-27.dahlia`.
///
/// Written from Stripe's OpenAPI description and pages, apart from the adapter, so that the two check each other.
/// Payments that have not been confirmed hold no money; they are kept outside the books and forgotten at a restart.
package struct StripeDialect: Dialect {
    /// The version that events name.
    static let version = "2026-05-27.dahlia"

    private let drafts = StripeDrafts()

    /// Makes the dialect.
    package init() {}

    /// Status and body of the first request once it was begun, 500s included, for 24 hours.
    package let keeping = ResultKeeping(.answers, milliseconds: 86_400_000)

    package let replayHeader: String? = "Idempotent-Replayed"

    /// As Stripe's own mock server and client libraries have it.
    package let repeatedHeaders = ["Idempotency-Key"]

    package let serverError = PSPReply(
        500,
        ["error": ["type": "api_error", "message": "An unknown error occurred."]]
    )

    package var routes: [DialectRoute] {
        let payments = StripePayments(drafts: drafts)
        let inquiries = StripeInquiries(drafts: drafts)
        return [
            DialectRoute(.post, "v1/tokens", StripeTokens.createToken),
            DialectRoute(.post, "v1/payment_methods", StripeTokens.createPaymentMethod),
            DialectRoute(.post, "v1/payment_intents", payments.create),
            DialectRoute(.get, "v1/payment_intents", inquiries.payments),
            DialectRoute(.get, "v1/payment_intents/search", inquiries.search),
            DialectRoute(.get, "v1/payment_intents/:intent", inquiries.payment),
            DialectRoute(.post, "v1/payment_intents/:intent/confirm", payments.confirm),
            DialectRoute(.post, "v1/payment_intents/:intent/capture", payments.capture),
            DialectRoute(.post, "v1/payment_intents/:intent/cancel", payments.cancel),
            DialectRoute(.post, "v1/refunds", StripeRefunds.create),
            DialectRoute(.get, "v1/refunds", StripeRefunds.list),
            DialectRoute(.get, "v1/refunds/:refund", StripeRefunds.retrieve),
            DialectRoute(.get, "v1/charges", inquiries.charges),
            DialectRoute(.get, "v1/charges/:charge", inquiries.charge),
            DialectRoute(.get, "v1/disputes", inquiries.disputes),
            DialectRoute(.get, "v1/disputes/:dispute", inquiries.dispute),
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        StripeError.reply(refusing: refusal, to: request, about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        StripeEvents.notices(of: event, origin: origin)
    }

    /// Every text that is not empty; it is used as it stands.
    package func accepts(secret: String) -> Bool { !secret.isEmpty }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        let key = SymmetricKey(data: Array(endpoint.secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(seconds).".utf8) + body, using: key)
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/json; charset=utf-8"),
                HTTPHeader("Stripe-Signature", "t=\(seconds),v1=\(Hexadecimal.encode(code))"),
            ],
            body: body
        )
    }
}
