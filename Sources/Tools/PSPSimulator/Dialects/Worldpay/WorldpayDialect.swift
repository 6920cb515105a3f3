package import HTTPTransport
import StrictJSON
import WireFormats

/// Access Worldpay: Payments 2024-06-01, Payment Queries 1, the part of Card Payments 7 that queries link to, Split
/// Payments 2025-06-25, and Events.
///
/// Written from Worldpay's OpenAPI descriptions and pages, apart from the adapter, so that the two check each other.
/// Every answer has opaque links for what may be done next, each for one thing; settlements, cancellations and refunds
/// are answered 202 whatever the payment's state, and done later. A payment that is still being worked on is answered
/// 500, as one is that Worldpay has not heard of in time.
package struct WorldpayDialect: PSPDialect {
    /// Worldpay's answer to what went wrong on its side.
    static let internalError = WorldpayError.reply(
        500,
        "internalErrorOccurred",
        "We cannot currently process your request. Please contact support."
    )

    private let splits = WorldpaySplits()
    private let firsts = WorldpayFirstPayments()

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
            DialectRoute(.post, "api/payments") { request throws(Refusal) in
                try WorldpayPayments.create(request, firsts)
            },
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

/// The APIs of Access Worldpay that the dialect speaks, which differ in their headers and their links.
enum WorldpayAPI: String, Hashable, Sendable {
    /// Payments, version 2024-06-01.
    case payments
    /// Card Payments, version 7: only what is done to a payment, which is where Payment Queries' links lead.
    case cardPayments
    /// Payment Queries, version 1.
    case queries
    /// Split Payments, version 2025-06-25.
    case splitPayments
}

/// Worldpay's names: a prefix of three letters, 21 characters and a `0`.
///
/// The characters are the books' number in base 36, filled up with hyphens: eight for the books, ten for the payment,
/// three for what belongs to it.
enum WorldpayIdentifier {
    /// What a name is of.
    enum Prefix: String {
        case payment = "pay"
        case command = "cmd"
        case split = "spl"
        case item = "itm"
    }

    /// The name of something in the books, or of the payment's line item with that number from 1.
    static func text(_ prefix: Prefix, _ identifier: String, item: Int? = nil) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        let parts = [
            (number.instance, 8), (String(number.authorization, radix: 36), 10),
            (String(item ?? number.operation ?? 0, radix: 36), 3),
        ]
        let middle = parts.map { digits, width in
            String(repeating: "-", count: max(0, width - digits.count)) + digits
        }
        return prefix.rawValue + middle.joined() + "0"
    }

    /// What has that name; nil if nothing is called so.
    static func number(_ prefix: Prefix, _ text: String) -> PSPNumber? {
        guard text.utf8.count == 25, text.hasPrefix(prefix.rawValue) else { return nil }
        let middle = text.dropFirst(3)
        let parts = [middle.prefix(8), middle.dropFirst(8).prefix(10), middle.dropFirst(18).prefix(3)]
        let digits = parts.map { $0.drop { $0 == "-" } }
        guard let authorization = Int(digits[1], radix: 36), let operation = Int(digits[2], radix: 36) else {
            return nil
        }
        let number = PSPNumber(
            instance: String(digits[0]),
            authorization: authorization,
            operation: operation == 0 ? nil : operation
        )
        let name = Self.text(prefix, number.authorizationIdentifier, item: operation)
        return name == text ? number : nil
    }
}

/// What Worldpay's answers depend on.
extension Authorization {
    /// What may be done next.
    var worldpayActions: [WorldpayAction] {
        switch status {
        case .authorized where captured == 0: [.cancel, .settle, .partlySettle, .reverse]
        case .authorized: [.refund, .partlyRefund, .partlySettle, .cancel, .reverse]
        case .captured where refunded == 0: [.refund, .partlyRefund, .reverse]
        case .captured where refunded < captured: [.partlyRefund]
        case .captured, .pending, .requiresAction, .declined, .voided, .expired, .canceled: []
        }
    }

    /// Whether it got as far as the issuer: it has a payment id and is found by queries.
    var isSubmitted: Bool {
        switch status {
        case .requiresAction: false
        case .canceled: actionExpiresAt == nil
        case .declined: ![.suspectedFraud, .authenticationFailed, .actionExpired].contains(decline)
        case .pending, .authorized, .captured, .voided, .expired: true
        }
    }
}

/// Worldpay's errors: a name, a sentence, and where in the body or the head it is.
enum WorldpayError {
    /// The answer to a request that is refused.
    static func reply(refusing refusal: Refusal, to request: PSPRequest) -> PSPReply {
        let isSplit = request.path.hasPrefix("/splitPayments")
        switch refusal {
        case .unauthorized where isSplit:
            return reply(401, "unauthorizedAccess", "The provided secret does not contain valid authentication.")
        case .unauthorized:
            return reply(401, "accessDenied", "Access to the requested resource has been denied.")
        case .notFound where request.path.hasPrefix("/paymentQueries"):
            return reply(404, "paymentNotFound", "The payment you are trying to access does not exist.")
        case .notFound: return reply(404, "endpointNotFound", "Requested endpoint was not found.")
        case .configuration:
            return reply(400, "entityIsNotConfigured", "Entity is not configured to use this resource.")
        case .unsupported: return reply(400, "paymentInstrumentIsNotSupported", refusal.message)
        case .amountTooLarge: return violation("fieldHasInvalidValue", "$.value.amount")
        case .tooLarge: return reply(413, "bodyIsTooLarge", refusal.message)
        default: break
        }
        switch refusal.code {
        case "invalid_token": return violation("fieldHasInvalidValue", "$.instruction.paymentInstrument")
        case "invalid_request" where request.body.isEmpty:
            return reply(400, "bodyIsEmpty", "The body within the request is empty.")
        case "invalid_request": return reply(400, "bodyIsNotJson", "The body within the request is not valid json.")
        case "headerIsMissing", "headerHasInvalidValue":
            let name = JSON.Member("headerName", .string(refusal.message))
            return reply(refusal.status, refusal.code, "A valid header must be provided.", [name])
        case let code where refusal.status == 400 && refusal.message.hasPrefix("$"):
            return violation(code, refusal.message)
        default: return reply(refusal.status, refusal.code, refusal.message)
        }
    }

    /// An error.
    static func reply(_ status: Int, _ name: String, _ message: String, _ more: [JSON.Member] = []) -> PSPReply {
        PSPReply(
            status,
            .object([JSON.Member("errorName", .string(name)), JSON.Member("message", .string(message))] + more)
        )
    }

    private static func violation(_ name: String, _ path: String) -> PSPReply {
        let error: JSON = [
            "errorName": .string(name), "message": .string("Field at path is wrong: \(name)."),
            "jsonPath": .string(path),
        ]
        return reply(
            400,
            "bodyDoesNotMatchSchema",
            "A JSON body matching the expected schema must be provided.",
            [JSON.Member("validationErrors", [error])]
        )
    }
}

/// Why the issuer refuses a payment: Worldpay's code, its words, and the scheme's advice.
///
/// From developer.worldpay.com/products/reference/refusal-response and Payment Queries' OpenAPI description, read 2026;
/// 91 from the same list of Worldpay's older gateway.
struct WorldpayRefusalCode: Hashable, Sendable {
    let code: String
    let description: String
    /// The scheme's advice: 01 use new data, 02 try later, 03 do not try again.
    var advice: String?

    /// Worldpay's words for a decline.
    init(_ code: DeclineCode) {
        switch code {
        case .insufficientFunds: self.init("51", "Insufficient funds/over credit limit", "02")
        case .expiredCard: self.init("54", "Expired card", "01")
        case .invalidCard: self.init("14", "Invalid card number", "03")
        case .lostOrStolen: self.init("43", "STOLEN CARD, PICK UP", "03")
        case .suspectedFraud: self.init("34", "FRAUD SUSPICION")
        case .authenticationRequired: self.init("65", "Authentication requested")
        case .notPermitted: self.init("57", "Transaction not permitted to issuer/cardholder", "03")
        case .limitExceeded: self.init("61", "Exceeds withdrawal amount limit", "02")
        case .temporary: self.init("91", "CREDITCARD ISSUER TEMPORARILY NOT REACHABLE", "02")
        case .generic, .authenticationFailed, .actionExpired: self.init("5", "REFUSED")
        }
    }

    private init(_ code: String, _ description: String, _ advice: String? = nil) {
        self.code = code
        self.description = description
        self.advice = advice
    }
}

/// Moments as Worldpay writes them.
enum WorldpayMoment {
    /// To the millisecond, in UTC: `2025-06-08T16:11:13.164Z`.
    static func text(_ milliseconds: Int64) -> String {
        Moment.text(milliseconds) + "." + String(1000 + milliseconds % 1000).dropFirst() + "Z"
    }
}
