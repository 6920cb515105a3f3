import Crypto
import HTTPTransport
import StrictJSON
import WireFormats

/// Square's Payments, Refunds and Disputes APIs, in the version `2025-08-20`.
///
/// Written from Square's OpenAPI description and pages, apart from the adapter, so that the two check each other. A
/// payment is captured once and whole; its amount is changed before. Changed amounts are kept outside the books and
/// forgotten at a restart. Refunds are answered `PENDING`, and a webhook tells how they went.
package struct SquareDialect: PSPDialect {
    private let edits = SquareEdits()
    private let cards = SquareCards()

    /// Makes the dialect.
    package init() {}

    package let serverError = PSPReply(
        500,
        ["errors": [SquareErrorDocument.json("INTERNAL_SERVER_ERROR", "An internal server error has occurred.")]]
    )

    package var routes: [DialectRoute] {
        let document = SquareDocument(edits: edits)
        let payments = SquarePayments(document: document, cards: cards)
        let changes = SquareChanges(edits: edits, document: document)
        let inquiries = SquareInquiries(document: document)
        let refunds = SquareRefunds(document: document)
        return [
            DialectRoute(.post, "v2/payments", payments.create),
            DialectRoute(.post, "v2/customers", SquareCards.createCustomer),
            DialectRoute(.post, "v2/cards", cards.create),
            DialectRoute(.get, "v2/cards", cards.list),
            DialectRoute(.post, "v2/cards/:card/disable", cards.disable),
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
        SquareErrorDocument.reply(refusing: refusal, to: request, about: authorization)
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

/// Square's errors (developer.squareup.com/reference/square/objects/ErrorCode, version 2025-08-20).
enum SquareErrorDocument {
    /// A refusal with a code of Square's.
    ///
    /// - Parameters:
    ///   - code: Square's code.
    ///   - field: the field of the request that it is about.
    ///   - detail: a sentence for developers.
    /// - Returns: the refusal, 404 if something was not found, else 400.
    static func refusal(_ code: String, field: String? = nil, _ detail: String) -> Refusal {
        Refusal(code == "NOT_FOUND" ? 404 : 400, field.map { "\(code) \($0)" } ?? code, detail)
    }

    /// Why a payment in its state cannot be completed, canceled or changed.
    static func refusal(of authorization: Authorization) -> Refusal {
        switch authorization.status {
        case .captured, .authorized: .alreadyCaptured
        case .voided, .canceled: .alreadyVoided
        case .expired: .expired
        case .declined, .pending, .requiresAction: .notAuthorized
        }
    }

    /// An error.
    static func json(_ code: String, _ detail: String, field: String? = nil) -> JSON {
        .object(omittingAbsent: [
            "category": .string(category(code)), "code": .string(code), "detail": .string(detail),
            "field": field.map(JSON.string),
        ])
    }

    /// Square's code of a decline; it has none for a card that was lost or stolen, and none for fraud.
    static func code(_ code: DeclineCode) -> String {
        switch code {
        case .insufficientFunds: "INSUFFICIENT_FUNDS"
        case .expiredCard: "CARD_EXPIRED"
        case .invalidCard: "INVALID_CARD"
        case .lostOrStolen: "CARD_DECLINED"
        case .suspectedFraud, .generic: "GENERIC_DECLINE"
        case .authenticationRequired, .authenticationFailed, .actionExpired: "CARD_DECLINED_VERIFICATION_REQUIRED"
        case .notPermitted: "CARDHOLDER_INSUFFICIENT_PERMISSIONS"
        case .limitExceeded: "TRANSACTION_LIMIT"
        case .temporary: "TEMPORARY_ERROR"
        }
    }

    /// The errors of a decline; of a gift card, what it still has as well.
    static func errors(_ code: DeclineCode, _ details: [String: String] = [:]) -> [JSON] {
        let code = details[SquareSource.declineDetail] ?? self.code(code)
        let first = json(code, "Authorization error: '\(code)'")
        guard let balance = details[SquareSource.balanceDetail] else { return [first] }
        return [first, json("GIFT_CARD_AVAILABLE_AMOUNT", balance)]
    }

    /// The HTTP status of a decline: 400 if the card's data are wrong, else 402.
    ///
    /// Square's pages do not say which; both have been seen.
    static func status(_ errors: [JSON]) -> Int {
        let isData = errors.first.map { dataCodes.contains($0["code"]?.stringValue ?? "") } ?? false
        return isData ? 400 : 402
    }

    /// The answer to a request that is refused.
    static func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        if request.path.hasSuffix("/v2/payments/cancel"), request.parameters.isEmpty,
            refusal == .notFound || refusal == .alreadyVoided || refusal == .expired
        {
            return PSPReply(200, .object([]))
        }
        let (status, code, detail) = translation(of: refusal, request, authorization)
        let parts = code.split(separator: " ", maxSplits: 1).map(String.init)
        let error = json(parts[0], detail, field: parts.count > 1 ? parts[1] : nil)
        return PSPReply(status, ["errors": [error]])
    }

    private static func translation(
        of refusal: Refusal,
        _ request: PSPRequest,
        _ authorization: Authorization?
    ) -> (status: Int, code: String, detail: String) {
        let isRefund = request.path.hasSuffix("/v2/refunds")
        let isNew = request.path.hasSuffix("/v2/payments")
        switch refusal {
        case .unauthorized: return (401, "UNAUTHORIZED", "This request could not be authorized.")
        case .notFound: return (404, "NOT_FOUND", "Could not find what the request names.")
        case .keyMismatch:
            return (
                400, "IDEMPOTENCY_KEY_REUSED idempotency_key",
                "Different request parameters used for the same idempotency_key."
            )
        case .inProgress: return (409, "CONFLICT", "The payment is being changed by another request.")
        case .configuration:
            if isNew { return (400, "CARD_PROCESSING_NOT_ENABLED", refusal.message) }
            if isRefund { return (400, "INSUFFICIENT_PERMISSIONS_FOR_REFUND", refusal.message) }
            return (403, "INSUFFICIENT_SCOPES", refusal.message)
        case .unsupported:
            return (400, isNew || isRefund ? "UNSUPPORTED_INSTRUMENT_TYPE" : "BAD_REQUEST", refusal.message)
        case .tooLarge: return (413, "REQUEST_ENTITY_TOO_LARGE", refusal.message)
        case .notSettledYet: return (400, "PAYMENT_NOT_REFUNDABLE", refusal.message)
        case .amountTooLarge where isRefund:
            return (400, "REFUND_AMOUNT_INVALID amount_money.amount", "The requested refund amount is too high.")
        default:
            if refusal.code == "invalid_token" { return (404, "NOT_FOUND source_id", "Card nonce not found.") }
            if refusal.code.first?.isUppercase == true { return (refusal.status, refusal.code, refusal.message) }
            let code = isRefund ? refundCode(authorization) : stateCode(refusal, authorization)
            return (400, code, refusal.message)
        }
    }

    private static func refundCode(_ authorization: Authorization?) -> String {
        switch authorization?.status {
        case .authorized, .pending: "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION"
        default: "PAYMENT_NOT_REFUNDABLE"
        }
    }

    private static func stateCode(_ refusal: Refusal, _ authorization: Authorization?) -> String {
        switch refusal {
        case .alreadyCaptured: "DELAYED_TRANSACTION_CAPTURED"
        case .expired: "DELAYED_TRANSACTION_EXPIRED"
        case _ where authorization?.status == .declined: "DELAYED_TRANSACTION_FAILED"
        case .alreadyVoided: "DELAYED_TRANSACTION_CANCELED"
        default: "BAD_REQUEST"
        }
    }

    private static func category(_ code: String) -> String {
        if paymentCodes.contains(code) || dataCodes.contains(code) { return "PAYMENT_METHOD_ERROR" }
        if refundCodes.contains(code) { return "REFUND_ERROR" }
        switch code {
        case "UNAUTHORIZED", "FORBIDDEN", "INSUFFICIENT_SCOPES": return "AUTHENTICATION_ERROR"
        case "INTERNAL_SERVER_ERROR": return "API_ERROR"
        default: return "INVALID_REQUEST_ERROR"
        }
    }

    private static let dataCodes: Set<String> = [
        "ADDRESS_VERIFICATION_FAILURE", "CVV_FAILURE", "INVALID_CARD", "INVALID_EXPIRATION",
    ]
    private static let paymentCodes: Set<String> = [
        "CARDHOLDER_INSUFFICIENT_PERMISSIONS", "CARD_DECLINED", "CARD_DECLINED_VERIFICATION_REQUIRED", "CARD_EXPIRED",
        "GENERIC_DECLINE", "GIFT_CARD_AVAILABLE_AMOUNT", "INSUFFICIENT_FUNDS", "INVALID_FEES", "TEMPORARY_ERROR",
        "TRANSACTION_LIMIT",
    ]
    private static let refundCodes: Set<String> = [
        "INSUFFICIENT_PERMISSIONS_FOR_REFUND", "PAYMENT_NOT_REFUNDABLE", "PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE",
        "REFUND_ALREADY_PENDING", "REFUND_AMOUNT_INVALID", "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION",
    ]
}

/// Square's names for what is in the books.
enum SquareName {
    /// The name of a payment: the books' number between capital letters.
    static func payment(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        return "\(number.instance)P\(number.authorization)ZY"
    }

    /// The books' identifier of a payment; nil if no payment can be called so.
    static func bookName(payment name: String) -> String? {
        let parts = name.split(separator: "P", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("ZY"), let authorization = Int(parts[1].dropLast(2)) else {
            return nil
        }
        let identifier = PSPNumber(instance: String(parts[0]), authorization: authorization).authorizationIdentifier
        return payment(identifier) == name ? identifier : nil
    }

    /// The name of a refund: its payment's, and its number behind that.
    static func refund(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier), let operation = number.operation else { return identifier }
        return "\(payment(number.authorizationIdentifier))_R\(operation)"
    }

    /// The books' identifier of a refund; nil if no refund can be called so.
    static func bookName(refund name: String) -> String? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("R"), let operation = Int(parts[1].dropFirst()),
            let payment = bookName(payment: String(parts[0])).flatMap({ PSPNumber($0) })
        else { return nil }
        let number = PSPNumber(
            instance: payment.instance,
            authorization: payment.authorization,
            operation: operation
        )
        return refund("ref_\(number.suffix)") == name ? "ref_\(number.suffix)" : nil
    }

    /// The name of a dispute.
    static func dispute(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier), let dispute = number.operation else { return identifier }
        return "\(number.instance)P\(number.authorization)D\(dispute)"
    }

    /// What the books call a payment beside its identifier, so that it is found by its idempotency key.
    static func payment(of account: String, key: String) -> String { "\(account)/\(key)" }
}
