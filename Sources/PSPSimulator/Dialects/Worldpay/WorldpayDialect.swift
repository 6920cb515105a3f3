package import CurlTransport
import StrictJSON

/// Access Worldpay: Payments 2024-06-01, Payment Queries 1, the part of Card Payments 7 that queries link to, Split
/// Payments 2025-06-25, and Events.
///
/// Written from Worldpay's OpenAPI descriptions and pages, apart from the adapter, so that the two check each other.
/// Every answer has opaque links for what may be done next, each for one thing; settlements, cancellations and refunds
/// are answered 202 whatever the payment's state, and done later. A payment that is still being worked on is answered
/// 500, as one is that Worldpay has not heard of in time.
package struct WorldpayDialect: Dialect {
    /// Worldpay's answer to what went wrong on its side.
    static let internalError = WorldpayError.reply(
        500,
        "internalErrorOccurred",
        "We cannot currently process your request. Please contact support."
    )

    private let splits = WorldpaySplits()

    /// Makes the dialect.
    package init() {}

    package let serverError = Self.internalError

    package var routes: [DialectRoute] { payments + cardPayments + others }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply { WorldpayError.reply(refusing: refusal, to: request) }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] { WorldpayEvents.notices(of: event) }

    /// Pairs of hexadecimal digits.
    package func accepts(secret: String) -> Bool { Hexadecimal.decode(secret)?.isEmpty == false }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/vnd.worldpay.events-v1.hal+json"),
                HTTPHeader(
                    "Event-Signature",
                    WorldpayEvents.signatures(of: body, id: notice.id, with: endpoint.secret)
                ),
            ],
            body: body
        )
    }

    /// 200 and nothing else does.
    package func acknowledges(_ reply: HTTPReply) -> Bool { reply.status == 200 }

    private static let changes: [WorldpayAction] = [.cancel, .settle, .partlySettle, .refund, .partlyRefund, .reverse]

    private var payments: [DialectRoute] {
        [
            DialectRoute(.post, "api/payments", WorldpayPayments.create),
            DialectRoute(.get, "api/payments/:link", WorldpayPayments.query),
            DialectRoute(.post, "api/payments/:link/3dsDeviceData", WorldpayPayments.supplyDeviceData),
            DialectRoute(.post, "api/payments/:link/3dsChallenges", WorldpayPayments.completeChallenge),
        ]
            + Self.changes.map { action in
                DialectRoute(.post, "api/payments/:link/" + action.pathEnd) { request throws(Refusal) in
                    try WorldpayPayments.change(action, request)
                }
            }
    }

    private var cardPayments: [DialectRoute] {
        let more: [(WorldpayAction, String)] = [
            (.settle, "payments/settlements"), (.reverse, "payments/sales/reversals"),
        ]
        let all = Self.changes.compactMap { action in action.card.map { (action, $0.path) } } + more
        return all.map { action, path in
            DialectRoute(.post, path + "/:link") { request throws(Refusal) in
                try WorldpayCardPayments.change(action, request)
            }
        } + [DialectRoute(.get, "payments/events/:link", WorldpayCardPayments.events)]
    }

    private var others: [DialectRoute] {
        [
            DialectRoute(.get, "paymentQueries/payments", WorldpayQueries.search),
            DialectRoute(.get, "paymentQueries/payments/:payment", WorldpayQueries.payment),
            DialectRoute(.post, "splitPayments", splits.create),
            DialectRoute(.post, "splitPayments/:split/fulfillments", splits.fulfill),
            DialectRoute(.post, "splitPayments/:split/items/:item/fulfillments", splits.fulfill),
        ]
    }
}
