import AdapterKit
import Domain
import StrictJSON

/// A reply, sorted by what Stripe's documents promise about it.
enum StripeReply {
    /// HTTP 200 with a JSON object; and whether the reply repeats the request's key.
    case object(JSON, repeatsKey: Bool)
    /// The request was refused, and what it asked for was not done.
    case refusal(StripeRefusal)
    /// Nothing is promised: a fault, a clash, a limit, or not Stripe's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// 409 (another request holds the key), 429 (limits, locked objects) and 5xx are doubt. A limit is checked
    /// before the idempotency key is looked up, so on a replay it says nothing about the first request; the same
    /// key may simply be sent again later, which is what doubt leads to.
    ///
    /// - Parameters:
    ///   - reply: what came.
    ///   - key: the request's idempotency key, which Stripe repeats in a field of the head; nil for a request that has
    ///     none. A reply with another one answers another request.
    init(_ reply: WireReply, to key: String?) {
        let repeated = reply.header("Idempotency-Key")
        guard repeated == nil || repeated == key else {
            self = .doubt("Stripe's reply (HTTP \(reply.status)) is to another request.")
            return
        }
        let repeatsKey = repeated != nil
        guard let json = Self.json(reply) else {
            self = .doubt("Stripe's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let requestID = reply.header("Request-Id")
        guard let error = json["error"].flatMap(StripeError.init) else {
            let isPromised = reply.status == 200 && json["error"] == nil && json.objectValue != nil
            self =
                isPromised
                ? .object(json, repeatsKey: repeatsKey) : .doubt("HTTP \(reply.status) without a documented body.")
            return
        }
        switch (reply.status, error.kind) {
        case (400, .card), (402, .card), (400...404, .invalidRequest):
            self = .refusal(
                StripeRefusal(status: reply.status, error: error, requestID: requestID, repeatsKey: repeatsKey)
            )
        default:
            self = .doubt("HTTP \(reply.status): \(error.sentence(requestID))")
        }
    }

    private static func json(_ reply: WireReply) -> JSON? { reply.isJSON ? try? JSON.parse(reply.body) : nil }
}

/// The error object of a refused request, or of a PaymentIntent's last attempt.
///
/// Stripe's own sentence is not kept: it may repeat what was sent, a token included. The request id leads an
/// operator to it in Stripe's dashboard.
struct StripeError {
    /// The types that promise that nothing was done.
    enum Kind: String {
        /// The issuer or a risk rule said no.
        case card = "card_error"
        /// The request was refused.
        case invalidRequest = "invalid_request_error"
        /// The key was used with other parameters.
        case idempotency = "idempotency_error"
        /// Something failed at Stripe.
        case api = "api_error"
    }

    var kind: Kind
    var code: String?
    var declineCode: String?
    var adviceCode: String?
    var networkDeclineCode: String?
    var networkAdviceCode: String?
    var parameter: String?
    var intent: PaymentIntent?
    /// Stripe's own sentence, which is only searched, never passed on.
    private var message: String?

    /// Reads the object; nil if it has no type that Stripe documents.
    init?(_ json: JSON) {
        guard let kind = json["type"]?.stringValue.flatMap(Kind.init(rawValue:)) else { return nil }
        self.kind = kind
        code = json["code"]?.stringValue
        declineCode = json["decline_code"]?.stringValue
        adviceCode = json["advice_code"]?.stringValue
        networkDeclineCode = json["network_decline_code"]?.stringValue
        networkAdviceCode = json["network_advice_code"]?.stringValue
        parameter = json["param"]?.stringValue
        intent = json["payment_intent"].flatMap(PaymentIntent.init)
        message = json["message"]?.stringValue
    }

    /// The most telling code: the issuer's, else Stripe's, else the type.
    var tellingCode: String { declineCode ?? code ?? kind.rawValue }

    /// Whether Stripe's sentence names the object: `No such payment_intent: 'pi_…'`.
    func names(_ id: String) -> Bool { message?.utf8.contains("'\(id)'".utf8) ?? false }

    /// Whether Stripe's sentence says that the amount is greater than the charge's, or than what is left of it.
    var exceedsCharge: Bool {
        message.map { $0.hasPrefix("Refund amount") && $0.utf8.contains("is greater than".utf8) } ?? false
    }

    /// Type, codes and parameter in one sentence, without anything that was sent.
    func sentence(_ requestID: String?) -> String {
        let parts = [
            ("code", declineCode ?? code), ("parameter", parameter), ("network code", networkDeclineCode),
            ("advice", adviceCode), ("network advice", networkAdviceCode), ("request", requestID),
        ]
        let words = parts.compactMap { name, value in value.flatMap(ProtocolText.word).map { "\(name) \($0)" } }
        return "Stripe answered \(kind.rawValue)" + (words.isEmpty ? "." : " (\(words.joined(separator: ", "))).")
    }

    /// The decline that the error reports.
    func decline(requestID: String?) -> Decline {
        let known = [declineCode, code].compactMap { $0.flatMap(StripeDeclines.category(_:)) }
        let ownCategory = known.first { $0 != .generic } ?? .generic
        let advised = adviceCode.flatMap(StripeDeclines.category(advisedBy:))
        let category = ownCategory == .generic ? advised ?? .generic : ownCategory
        return Decline(code: tellingCode, category: category, message: sentence(requestID), advice: advice)
    }

    /// Whether and when the payment may be tried again: a consent that was taken back, then what the card scheme says, then
    /// what Stripe says.
    private var advice: Decline.RetryAdvice? {
        if [declineCode, code].contains(where: { $0.map(StripeDeclines.revocations.contains) ?? false }) {
            return .revoked
        }
        return networkAdviceCode.flatMap { Decline.RetryAdvice(mastercard: $0) }
            ?? networkDeclineCode.flatMap { Decline.RetryAdvice(issuer: $0) }
            ?? (adviceCode == "do_not_try_again" ? .never : nil)
    }
}

/// A request that Stripe refused without doing what it asked for.
struct StripeRefusal {
    /// The HTTP status: 400, 401, 402, 403 or 404.
    var status: Int
    var error: StripeError
    /// Names the exchange in Stripe's dashboard.
    var requestID: String?
    /// Whether the reply repeats the request's key, so that it is no other request that was refused.
    var repeatsKey: Bool

    /// Whether the account's key, rather than the request, was refused.
    var concernsKey: Bool { status == 401 || status == 403 }
    /// A sentence for the operator.
    var sentence: String { error.sentence(requestID) }
}
