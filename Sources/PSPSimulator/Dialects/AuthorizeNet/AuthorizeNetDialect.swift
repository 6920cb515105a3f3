import Crypto
import CurlTransport
import StrictJSON

/// Authorize.Net's API: one address, JSON whose members stand in the order of the XML schema, and its webhooks.
///
/// Written from Authorize.Net's schema (`AnetApiSchema.xsd`, 2026-02), its reference of the API and its table of
/// response codes (developer.authorize.net, read 2026), apart from the adapter, so that the two check each other. It
/// has no idempotency: a transaction like another one of the last two minutes is refused instead.
package struct AuthorizeNetDialect: Dialect {
    /// How many hexadecimal digits a Signature Key has.
    private static let signatureKeyDigits = 128

    private let transactions: AuthorizeNetTransactions

    /// Makes the dialect.
    ///
    /// - Parameter clock: the time in milliseconds since 1970.
    package init(clock: @escaping @Sendable () -> Int64 = SimulatorServer.systemClock) {
        transactions = AuthorizeNetTransactions(clock: clock)
    }

    package let serverError = AuthorizeNetReply.failure(
        "E00001",
        "An error occurred during processing. Please try again.",
        status: 500
    )

    package var routes: [DialectRoute] {
        [
            DialectRoute(.post, "xml/v1/request.api") { request throws(Refusal) in
                let envelope = try AuthorizeNetRequest(request)
                return switch envelope.method {
                case .authenticateTest: .answer(AuthorizeNetReply.success([], echoing: envelope.refId))
                case .createTransaction: try transactions.ask(envelope)
                case .getTransactionDetails: AuthorizeNetInquiries.details(envelope)
                case .getUnsettledTransactionList: AuthorizeNetInquiries.unsettled(envelope)
                case .getSettledBatchList: try AuthorizeNetInquiries.batches(envelope)
                case .getTransactionList: try AuthorizeNetInquiries.batch(envelope)
                }
            }
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        AuthorizeNetRefusal(refusal, of: request).reply(about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        AuthorizeNetEvents.notices(of: event)
    }

    /// A Signature Key: 128 hexadecimal digits.
    package func accepts(secret: String) -> Bool {
        secret.utf8.count == Self.signatureKeyDigits && Hexadecimal.decode(secret) != nil
    }

    /// The Signature Key is used as the text that it is, not as the bytes that its digits stand for.
    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        let key = SymmetricKey(data: Array(endpoint.secret.utf8))
        let code = HMAC<SHA512>.authenticationCode(for: body, using: key)
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/json; charset=utf-8"),
                HTTPHeader("X-ANET-Signature", "sha512=\(Hexadecimal.encode(code).uppercased())"),
            ],
            body: body
        )
    }
}
