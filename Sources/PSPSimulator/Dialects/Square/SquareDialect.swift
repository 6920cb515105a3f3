import Crypto
import CurlTransport
import StrictJSON

/// Square's Payments, Refunds and Disputes APIs, in the version `2025-08-20`.
///
/// Written from Square's OpenAPI description and pages, apart from the adapter, so that the two check each other. A
/// payment is captured once and whole; its amount is changed before. Changed amounts are kept outside the books and
/// forgotten at a restart. Refunds are answered `PENDING`, and a webhook tells how they went.
package struct SquareDialect: Dialect {
    private let edits = SquareEdits()

    /// Makes the dialect.
    package init() {}

    package let serverError = PSPReply(
        500,
        ["errors": [SquareError.json("INTERNAL_SERVER_ERROR", "An internal server error has occurred.")]]
    )

    package var routes: [DialectRoute] {
        let document = SquareDocument(edits: edits)
        let payments = SquarePayments(document: document)
        let changes = SquareChanges(edits: edits, document: document)
        let inquiries = SquareInquiries(document: document)
        let refunds = SquareRefunds(document: document)
        return [
            DialectRoute(.post, "v2/payments", payments.create),
            DialectRoute(.get, "v2/payments", inquiries.payments),
            DialectRoute(.post, "v2/payments/cancel", changes.cancelByKey),
            DialectRoute(.get, "v2/payments/:payment", inquiries.payment),
            DialectRoute(.put, "v2/payments/:payment", changes.update),
            DialectRoute(.post, "v2/payments/:payment/complete", changes.complete),
            DialectRoute(.post, "v2/payments/:payment/cancel", changes.cancel),
            DialectRoute(.post, "v2/refunds", refunds.create),
            DialectRoute(.get, "v2/refunds", refunds.list),
            DialectRoute(.get, "v2/refunds/:refund", refunds.retrieve),
            DialectRoute(.get, "v2/disputes", inquiries.disputes),
            DialectRoute(.get, "v2/disputes/:dispute", inquiries.dispute),
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        SquareError.reply(refusing: refusal, to: request, about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        SquareEvents(document: SquareDocument(edits: edits)).notices(of: event)
    }

    /// Every text that is not empty; it is used as it stands.
    package func accepts(secret: String) -> Bool { !secret.isEmpty }

    /// Signs the endpoint's URL, exactly as it was registered, and the body behind it.
    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        let key = SymmetricKey(data: Array(endpoint.secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(endpoint.url.utf8) + body, using: key)
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("square-environment", "Sandbox"),
                HTTPHeader("x-square-hmacsha256-signature", Base64.encode(Array(code))),
            ],
            body: body
        )
    }
}
