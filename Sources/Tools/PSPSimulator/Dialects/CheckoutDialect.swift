import Crypto
import HTTPTransport
import StrictJSON
import WireFormats

/// Checkout.com's Unified Payments API and the webhooks of its workflows.
///
/// Written from Checkout.com's pages and its own SDK, apart from the adapter, so that the two check each other.
/// Payments are answered at once; captures, voids and refunds are answered 202 if they are possible, and told of by
/// webhook when they are done or were declined.
package struct CheckoutDialect: PSPDialect {
    private let splits = CheckoutSplits()
    private let methods = StoredMethods()

    /// Makes the dialect.
    package init() {}

    /// Results of 2xx, for 24 hours; what was answered with anything else is attempted again.
    package let keeping = ResultKeeping(.successes, milliseconds: 86_400_000)

    package let serverError = PSPReply(500, contentType: "application/json", body: [])

    package var routes: [DialectRoute] {
        let payments = CheckoutPayments(splits: splits, methods: methods)
        let actions = CheckoutActions(splits: splits)
        return [
            DialectRoute(.post, "tokens", CheckoutTokens.create),
            DialectRoute(.post, "payments", payments.create),
            DialectRoute(.delete, "instruments/:source", CheckoutVault(methods: methods).forget),
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

/// Who sends a request to Checkout.com.
enum CheckoutRequester {
    /// The account of the secret key or of the access token; a public key may do nothing but make tokens.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    static func account(of request: PSPRequest) throws(Refusal) -> String {
        guard let key = request.bearer, !key.hasPrefix("pk_") else { throw .unauthorized }
        return try AccountName(key: key).name
    }

    /// The account and the idempotency key; Checkout.com documents no limit of its length.
    ///
    /// - Throws: ``Refusal``.
    static func requester(_ request: PSPRequest) throws(Refusal) -> Requester {
        Requester(
            account: try account(of: request),
            key: try request.key("Cko-Idempotency-Key", limit: 255)
        )
    }

    /// Checks the public key that a wallet's data is exchanged under.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    static func checkPublicKey(_ request: PSPRequest) throws(Refusal) {
        guard let key = request.bearer, !key.hasPrefix("sk_") else { throw .unauthorized }
        _ = try AccountName(key: key)
    }
}

/// Answers as Checkout.com sends them, each with the identifier of its request.
enum CheckoutAnswer {
    /// An answer with a document.
    static func reply(_ status: Int, _ json: JSON) -> PSPReply {
        identified(PSPReply(status, json), by: requestIdentifier())
    }

    /// An answer without one: who is not known, what is not found, what is not allowed.
    static func empty(_ status: Int) -> PSPReply {
        identified(PSPReply(status, contentType: "application/json", body: []), by: requestIdentifier())
    }

    /// An error.
    static func error(_ status: Int, _ type: String, _ code: String) -> PSPReply {
        let id = requestIdentifier()
        let json: JSON = [
            "request_id": .string(id), "error_type": .string(type), "error_codes": .strings([code]),
        ]
        return identified(PSPReply(status, json), by: id)
    }

    private static func identified(_ reply: PSPReply, by id: String) -> PSPReply {
        var reply = reply
        reply.headers.append(("Cko-Request-Id", id))
        return reply
    }

    private static func requestIdentifier() -> String {
        let groups = [4, 2, 2, 2, 6].map { count in
            Hexadecimal.encode((0..<count).map { _ in NameDraw.number(UInt8.self) })
        }
        return groups.joined(separator: "-")
    }
}

/// What came of an action: Checkout.com's response code and text (its page of API response codes, read 2026).
struct CheckoutResponse: Hashable, Sendable {
    /// It succeeded.
    static let approved = CheckoutResponse(code: "10000", summary: "Approved")
    /// A part of the amount was approved.
    static let partial = CheckoutResponse(code: "10010", summary: "Partial Value Approved")
    /// It failed without a reason of the issuer's.
    static let failed = CheckoutResponse(code: "20006", summary: "Error / Invalid Request Parameters")

    let code: String
    let summary: String

    private init(code: String, summary: String) {
        self.code = code
        self.summary = summary
    }

    /// Checkout.com's words for a decline.
    init(_ decline: DeclineCode) {
        (code, summary) =
            switch decline {
            case .insufficientFunds: ("20051", "Insufficient Funds")
            case .expiredCard: ("20054", "Expired Card")
            case .invalidCard: ("20014", "Invalid Card Number")
            case .lostOrStolen: ("30041", "Lost Card - Pick Up")
            case .suspectedFraud: ("40101", "Risk Blocked Transaction")
            case .authenticationRequired: ("20154", "3DS Authentication Required")
            case .notPermitted: ("20057", "Transaction Not Permitted to Cardholder")
            case .limitExceeded: ("20061", "Activity Amount Limit Exceeded")
            case .temporary: ("20091", "Issuer or Switch is Inoperative")
            case .generic: ("20005", "Declined - Do Not Honour")
            case .authenticationFailed: ("20151", "Cardholder Failed 3DS Authentication")
            case .actionExpired: ("20152", "Initial 3DS Transaction Not Completed Within 15 Minutes")
            }
    }
}

/// Checkout.com's refusals: 422 with codes, or a status that says all.
private enum CheckoutError {
    /// The answer to a request that is refused.
    static func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        if request.path.hasSuffix("/reversals"), let authorization,
            let done = CheckoutDocument.reversed(authorization, request.origin)
        {
            return CheckoutAnswer.reply(200, done)
        }
        return switch refusal {
        case .unauthorized: CheckoutAnswer.empty(401)
        case .alreadyCaptured, .alreadyVoided, .expired, .inProgress, .notAuthorized, .notCaptured, .notSettledYet:
            CheckoutAnswer.empty(403)
        case .notFound: CheckoutAnswer.empty(404)
        case .keyMismatch: CheckoutAnswer.error(409, "request_invalid", "idempotency_key_in_use")
        case .tooLarge: CheckoutAnswer.empty(413)
        case .amountTooLarge: CheckoutAnswer.error(422, "processing_error", amountCode(request, authorization))
        case .configuration: CheckoutAnswer.error(422, "processing_error", "business_settings_missing")
        case .unsupported: CheckoutAnswer.error(422, "processing_error", "payment_method_invalid")
        default:
            switch refusal.code {
            case "invalid_token": CheckoutAnswer.error(422, "processing_error", "token_invalid")
            case "invalid_request": CheckoutAnswer.error(422, "request_invalid", "request_invalid")
            default: CheckoutAnswer.error(422, "request_invalid", refusal.code)
            }
        }
    }

    private static func amountCode(_ request: PSPRequest, _ authorization: Authorization?) -> String {
        guard request.path.hasSuffix("/captures") else { return "refund_amount_exceeds_balance" }
        let amount = (try? request.json())?["amount"]?.integerValue ?? 0
        return amount > authorization?.authorized ?? 0
            ? "capture_value_greater_than_authorized" : "capture_value_greater_than_remaining_authorized"
    }
}

/// Checkout.com's identifiers: a prefix and 26 lower-case letters and digits.
///
/// The 26 are the length of the books' name, the name (9), the payment's number (10) and that of its part (6), in
/// base 36; a payment is its part 0, and so is its authorization among the actions.
enum CheckoutIdentifier {
    /// The part of a payment that is the capture which was not asked for on its own, and what is told of it.
    static let saleCapture = 46_656
    /// The part of a payment that is the void which nobody asked for.
    static let lapse = 93_312

    private static let widths = [1, 9, 10, 6]

    /// What Checkout.com calls something with one of the books' identifiers.
    ///
    /// - Parameters:
    ///   - prefix: `pay`, `act`, `evt`, `dsp` or `src`.
    ///   - identifier: the books' identifier.
    ///   - part: the part that is meant, if the identifier does not say it.
    /// - Returns: the identifier.
    static func text(_ prefix: String, _ identifier: String, part: Int? = nil) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        let values = [
            String(number.instance.utf8.count, radix: 36), number.instance, String(number.authorization, radix: 36),
            String(part ?? number.operation ?? 0, radix: 36),
        ]
        let digits = zip(values, widths).map { value, width in
            String(repeating: "0", count: max(0, width - value.utf8.count)) + value
        }
        return "\(prefix)_" + digits.joined()
    }

    /// The books' identifier of the payment whose source Checkout.com calls so; nil if nothing is called so.
    static func payment(ofSource text: String) -> String? {
        text.hasPrefix("src_") ? payment("pay_" + text.dropFirst(4)) : nil
    }

    /// The books' identifier of a payment that Checkout.com calls so; nil if nothing is called so.
    static func payment(_ text: String) -> String? {
        guard text.hasPrefix("pay_"), text.utf8.count == 30, text.hasSuffix("000000"),
            let length = Int(text.dropFirst(4).prefix(1), radix: 36), 1...9 ~= length,
            let authorization = Int(text.dropFirst(14).prefix(10), radix: 36), authorization > 0
        else { return nil }
        let instance = String(text.dropFirst(5).prefix(9).suffix(length))
        let name = PSPNumber(instance: instance, authorization: authorization).authorizationIdentifier
        return self.text("pay", name) == text ? name : nil
    }
}
