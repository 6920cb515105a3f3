import Crypto
import CurlTransport
import StrictJSON

/// Checkout.com's Unified Payments API and the webhooks of its workflows.
///
/// Written from Checkout.com's pages and its own SDK, apart from the adapter, so that the two check each other.
/// Payments are answered at once; captures, voids and refunds are answered 202 if they are possible, and told of by
/// webhook when they are done or were declined.
package struct CheckoutDialect: Dialect {
    private let splits = CheckoutSplits()

    /// Makes the dialect.
    package init() {}

    /// Results of 2xx, for 24 hours; what was answered with anything else is attempted again.
    package let keeping = ResultKeeping(.successes, milliseconds: 86_400_000)

    package let serverError = PSPReply(500, contentType: "application/json", body: [])

    package var routes: [DialectRoute] {
        let payments = CheckoutPayments(splits: splits)
        let actions = CheckoutActions(splits: splits)
        return [
            DialectRoute(.post, "tokens", CheckoutTokens.create),
            DialectRoute(.post, "payments", payments.create),
            DialectRoute(.get, "payments", CheckoutInquiries.list),
            DialectRoute(.get, "payments/:id", CheckoutInquiries.payment),
            DialectRoute(.get, "payments/:id/actions", CheckoutInquiries.actions),
            DialectRoute(.post, "payments/:id/captures", actions.capture),
            DialectRoute(.post, "payments/:id/voids", actions.void),
            DialectRoute(.post, "payments/:id/refunds", actions.refund),
            DialectRoute(.post, "payments/:id/reversals", actions.reverse),
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        CheckoutError.reply(refusing: refusal, to: request, about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        CheckoutEvents.notices(of: event, origin)
    }

    /// Every text that is not empty; it is used as it stands.
    package func accepts(secret: String) -> Bool { !secret.isEmpty }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        let key = SymmetricKey(data: Array(endpoint.secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/json; charset=utf-8"),
                HTTPHeader("Cko-Signature", Hexadecimal.encode(code)),
            ],
            body: body
        )
    }
}
