import Crypto
import HTTPTransport
import StrictJSON
import WireFormats

/// Stripe's API v1, in the version `2026-05-27.dahlia`.
///
/// Written from Stripe's OpenAPI description and pages, apart from the adapter, so that the two check each other.
/// Payments that have not been confirmed hold no money; they are kept outside the books and forgotten at a restart.
package struct StripeDialect: PSPDialect {
    /// The version that events name.
    static let version = "2026-05-27.dahlia"

    private let drafts = StripeDrafts()
    private let methods = StoredMethods()

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
        let payments = StripePayments(drafts: drafts, methods: methods)
        let vault = StripeVault(methods: methods)
        let inquiries = StripeInquiries(drafts: drafts)
        return [
            DialectRoute(.post, "v1/tokens", StripeTokens.createToken),
            DialectRoute(.post, "v1/payment_methods", StripeTokens.createPaymentMethod),
            DialectRoute(.get, "v1/payment_methods/:method", vault.retrieve),
            DialectRoute(.post, "v1/payment_methods/:method/detach", vault.detach),
            DialectRoute(.post, "v1/customers", StripeVault.createCustomer),
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
            DialectRoute(.get, "v1/events", inquiries.events),
            DialectRoute(.get, "v1/disputes/:dispute", inquiries.dispute),
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        StripeErrorDocument.reply(refusing: refusal, to: request, about: authorization)
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

/// Who sends a request to Stripe.
enum StripeRequester {
    /// The account of the secret key, or the connected account that it acts for.
    ///
    /// - Throws: ``Refusal``.
    static func account(of request: PSPRequest) throws(Refusal) -> String {
        guard let key = request.bearer ?? request.basic?.user else { throw .unauthorized }
        let platform = try AccountName(key: key).name
        guard let connected = request.header("Stripe-Account") else { return platform }
        guard connected.hasPrefix("acct_"), connected.utf8.count <= 100 else {
            throw Refusal(
                403,
                "account_invalid",
                "The provided key does not have access to the account of Stripe-Account, or it does not exist."
            )
        }
        return "\(platform):\(connected)"
    }

    /// The account and the idempotency key, at most 255 characters.
    ///
    /// - Throws: ``Refusal``.
    static func requester(_ request: PSPRequest) throws(Refusal) -> Requester {
        Requester(account: try account(of: request), key: try request.key("Idempotency-Key", limit: 255))
    }

    /// The connected account in an account's name.
    static func connected(_ account: String) -> String? {
        let parts = account.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }
}

/// The parameters of a request to Stripe.
struct StripeForm: Hashable, Sendable {
    let fields: FormDocument

    /// Reads the body of a `POST`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's parameters, without what brackets follow.
    /// - Throws: ``Refusal`` that names the first parameter that the endpoint does not have.
    init(_ request: PSPRequest, knowing known: Set<String>) throws(Refusal) {
        fields = try FormDocument(request.body)
        for name in fields.names where !known.contains(String(name.prefix { $0 != "[" })) {
            throw Refusal(400, "parameter_unknown", "Received unknown parameter: \(name.prefix(60))")
        }
    }

    /// Joins two forms.
    init(_ fields: FormDocument) { self.fields = fields }

    /// The value of a parameter.
    ///
    /// - Throws: ``Refusal`` if it is missing.
    func required(_ name: String) throws(Refusal) -> String {
        guard let value = fields.value(name), !value.isEmpty else {
            throw Refusal(400, "parameter_missing", "Missing required param: \(name).")
        }
        return value
    }

    /// A parameter that is a whole number of at least `least`; nil if it is left out.
    ///
    /// - Throws: ``Refusal``.
    func integer(_ name: String, atLeast least: Int64 = 0) throws(Refusal) -> Int64? {
        guard let text = fields.value(name) else { return nil }
        guard let value = Int64(text), least...CommandReader.greatestAmount ~= value, text.utf8.first != 0x2B else {
            throw Refusal(400, "parameter_invalid_integer", "Invalid integer: \(name)")
        }
        return value
    }

    /// A parameter that is `true` or `false`; nil if it is left out.
    ///
    /// - Throws: ``Refusal``.
    func bool(_ name: String) throws(Refusal) -> Bool? {
        switch fields.value(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw .invalid("Invalid boolean: \(name)")
        }
    }

    /// The caller's notes: at most 50, names of at most 40 characters, values of at most 500.
    ///
    /// - Throws: ``Refusal``.
    func metadata() throws(Refusal) -> [String: String] {
        let notes = fields.dictionary("metadata")
        guard notes.count <= 50, notes.allSatisfy({ $0.key.count <= 40 && $0.value.count <= 500 }) else {
            throw .invalid("Metadata can have up to 50 keys of 40 characters, with values of 500 characters.")
        }
        return notes
    }

    /// What is to stand in the answer whole instead of by its identifier.
    var expansions: Set<String> { Set(fields.array("expand")) }

    /// The caller's name for what it asks: Stripe has no field of its own for one.
    ///
    /// It is the first note whose name has one of the words in it, in their order; else the idempotency key.
    static func reference(
        in metadata: [String: String],
        words: [String],
        else key: String?
    ) -> String {
        for word in words {
            let names = metadata.keys.filter { $0.lowercased().contains(word) }.sorted()
            if let name = names.first, let value = metadata[name] { return value }
        }
        return key ?? ""
    }
}

/// Stripe's errors.
enum StripeErrorDocument {
    /// What Stripe says of a decline: the error's code, the issuer's, and what to do.
    struct Word {
        let code: String
        var declineCode: String?
        var advice: String?
    }

    /// Stripe's words for a decline, from docs.stripe.com/declines/codes, read 2026.
    static func word(_ code: DeclineCode) -> Word {
        switch code {
        case .insufficientFunds:
            Word(code: "card_declined", declineCode: "insufficient_funds", advice: "try_again_later")
        case .expiredCard: Word(code: "expired_card", declineCode: "expired_card", advice: "do_not_try_again")
        case .invalidCard:
            Word(code: "incorrect_number", declineCode: "incorrect_number", advice: "confirm_card_data")
        case .lostOrStolen: Word(code: "card_declined", declineCode: "lost_card", advice: "do_not_try_again")
        case .suspectedFraud: Word(code: "card_declined", declineCode: "fraudulent", advice: "do_not_try_again")
        case .authenticationRequired:
            Word(code: "authentication_required", declineCode: "authentication_required")
        case .notPermitted:
            Word(code: "card_declined", declineCode: "transaction_not_allowed", advice: "do_not_try_again")
        case .limitExceeded:
            Word(code: "card_declined", declineCode: "card_velocity_exceeded", advice: "try_again_later")
        case .temporary: Word(code: "card_declined", declineCode: "try_again_later", advice: "try_again_later")
        case .generic: Word(code: "card_declined", declineCode: "generic_decline", advice: "try_again_later")
        case .authenticationFailed: Word(code: "payment_intent_authentication_failure")
        case .actionExpired: Word(code: "payment_intent_payment_attempt_expired")
        }
    }

    /// A decline as `last_payment_error` and `error` show it.
    static func json(_ code: DeclineCode, _ authorization: Authorization) -> JSON {
        let word = word(code)
        return .object(omittingAbsent: [
            "type": word.declineCode == nil ? "invalid_request_error" : "card_error",
            "advice_code": word.advice.map(JSON.string),
            "charge": .string(StripeDocument.chargeName(authorization)),
            "code": .string(word.code),
            "decline_code": word.declineCode.map(JSON.string),
            "doc_url": .string("https://stripe.com/docs/error-codes/" + word.code.replacingUnderscores),
            "message": .string(code.message),
        ])
    }

    /// The answer to a request that was declined: 402, with the payment in it.
    static func reply(declining code: DeclineCode, _ authorization: Authorization, _ origin: String) -> PSPReply {
        var members = json(code, authorization).objectValue ?? []
        members.append(JSON.Member("payment_intent", StripeDocument.payment(authorization, origin)))
        return PSPReply(402, ["error": .object(members)])
    }

    /// The answer to a request that is refused.
    static func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        let (status, type, code, message) = translation(of: refusal, request)
        var members: [JSON.Member] = []
        if let code { members.append(JSON.Member("code", .string(code))) }
        members.append(JSON.Member("message", .string(message)))
        if refusal == .amountTooLarge {
            let isRefund = request.path.hasPrefix("/v1/refunds")
            members.append(JSON.Member("param", isRefund ? "amount" : "amount_to_capture"))
        }
        members.append(JSON.Member("type", .string(type)))
        if code == unexpectedState, let authorization {
            members.append(JSON.Member("payment_intent", StripeDocument.payment(authorization, request.origin)))
        }
        return PSPReply(status, ["error": .object(members)])
    }

    private static let unexpectedState = "payment_intent_unexpected_state"

    private static func translation(
        of refusal: Refusal,
        _ request: PSPRequest
    ) -> (status: Int, type: String, code: String?, message: String) {
        let invalid = "invalid_request_error"
        switch refusal {
        case .unauthorized: return (401, invalid, nil, "Invalid API Key provided.")
        case .notFound:
            let isNamedByPath = request.path != "/v1/refunds"
            return (isNamedByPath ? 404 : 400, invalid, "resource_missing", "No such object.")
        case .keyMismatch:
            return (
                400, "idempotency_error", nil,
                "Keys for idempotent requests can only be used with the same parameters they were first used with."
            )
        case .inProgress:
            return (429, invalid, "lock_timeout", "This object cannot be accessed right now; try again.")
        case .configuration: return (403, invalid, "account_invalid", refusal.message)
        case .unsupported: return (400, invalid, "payment_method_unactivated", refusal.message)
        case .alreadyCaptured, .alreadyVoided, .expired, .notAuthorized, .alreadyNamed:
            return (400, invalid, unexpectedState, "The PaymentIntent's status does not allow this: \(refusal.message)")
        case .amountTooLarge:
            guard request.path.hasPrefix("/v1/refunds") else {
                return (400, invalid, "amount_too_large", refusal.message)
            }
            return (400, invalid, nil, "Refund amount is greater than unrefunded amount on charge.")
        case .notCaptured, .notSettledYet: return (400, invalid, unexpectedState, refusal.message)
        case .tooLarge: return (413, invalid, nil, refusal.message)
        default:
            let isNamed = refusal.code == "invalid_token"
            let code = isNamed ? "resource_missing" : refusal.code == "invalid_request" ? nil : refusal.code
            return (refusal.status, invalid, code, refusal.message)
        }
    }
}

extension String {
    /// The text with hyphens in place of underscores, as in Stripe's links.
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? "-" : $0 }) }
}
