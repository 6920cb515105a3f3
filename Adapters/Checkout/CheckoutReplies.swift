import AdapterKit
import StrictJSON

/// A reply, sorted by what Checkout.com's documents promise about it.
enum CheckoutReply {
    /// HTTP 200, 201 or 202 with JSON.
    case accepted(Int, JSON)
    /// The request was refused, and what it asked for was not done.
    case refusal(CheckoutRefusal)
    /// Nothing is promised: a fault, a duplicate, a limit, or not Checkout.com's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// 429 stands for "too many requests" and for "duplicate request detected" alike, so it says nothing of a first
    /// request; with 409 and 5xx it leads to the same request under the same key a little later.
    init(_ reply: WireReply) {
        switch reply.status {
        case 200, 201, 202:
            self =
                Self.json(reply).map { .accepted(reply.status, $0) }
                ?? .doubt("Checkout.com's reply (HTTP \(reply.status)) is not the JSON it documents.")
        case 401, 403, 404, 422:
            self =
                Self.refusal(reply).map { .refusal($0) }
                ?? .doubt("HTTP \(reply.status) without what Checkout.com documents.")
        default:
            let request = reply.header("Cko-Request-Id").flatMap(ProtocolText.word)
            self = .doubt("HTTP \(reply.status)" + (request.map { " (request \($0))." } ?? "."))
        }
    }

    /// 422 says why; 401, 403 and 404 are documented without a body, so that the header has to show whose they are.
    private static func refusal(_ reply: WireReply) -> CheckoutRefusal? {
        let requestID = reply.header("Cko-Request-Id")
        let json = json(reply)
        if let json, let told = CheckoutRefusal(status: reply.status, json, requestID: requestID) { return told }
        guard reply.status != 422, requestID != nil, reply.body.isEmpty || json?.objectValue != nil else { return nil }
        return CheckoutRefusal(status: reply.status, requestID: requestID)
    }

    private static func json(_ reply: WireReply) -> JSON? { reply.isJSON ? try? JSON.parse(reply.body) : nil }
}

/// A request that Checkout.com refused without doing what it asked for.
///
/// Only words of the protocol are kept: other text may repeat what was sent. The request id leads an operator to it in
/// Checkout.com's dashboard.
struct CheckoutRefusal {
    /// The HTTP status: 401, 403, 404 or 422.
    var status: Int
    /// `request_invalid`, `processing_error`, …; nil if there is no body.
    var type: String?
    /// What is wrong, each a word.
    var codes: [String] = []
    /// Names the exchange.
    var requestID: String?

    /// A refusal without a body.
    init(status: Int, requestID: String?) {
        self.status = status
        self.requestID = requestID.flatMap(ProtocolText.word)
    }

    /// Reads the body; nil if it is no error as Checkout.com documents it.
    init?(status: Int, _ json: JSON, requestID: String?) {
        guard let type = json["error_type"]?.stringValue.flatMap(ProtocolText.word) else { return nil }
        self.status = status
        self.type = type
        codes = (json["error_codes"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(ProtocolText.word) }
        self.requestID = (requestID ?? json["request_id"]?.stringValue).flatMap(ProtocolText.word)
    }

    /// The most telling code: the first, else the type, else the status.
    var tellingCode: String { codes.first ?? type ?? String(status) }

    /// Status, type and codes in one sentence, without anything that was sent.
    var sentence: String {
        let code = codes.isEmpty ? nil : codes.prefix(8).joined(separator: ", ")
        let parts = [("type", type), ("codes", code), ("request", requestID)]
        let words = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
        return "Checkout.com answered \(status)" + (words.isEmpty ? "." : " (\(words.joined(separator: "; "))).")
    }
}

/// What `processing` advises after a decline.
struct CheckoutAdvice {
    /// `01` more information needed, `02` try again later, `03` do not try again.
    var recommendation: String?
    /// Mastercard's merchant advice code.
    var merchantAdvice: String?

    /// Reads the member `processing`.
    init(_ processing: JSON?) {
        recommendation = processing?["recommendation_code"]?.stringValue.flatMap(ProtocolText.word)
        merchantAdvice = processing?["partner_merchant_advice_code"]?.stringValue.flatMap(ProtocolText.word)
    }
}
