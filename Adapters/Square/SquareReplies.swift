import AdapterKit
import Domain
import StrictJSON

/// A reply, sorted by what Square's documents promise about it.
enum SquareReply {
    /// HTTP 200 with a JSON object and no errors.
    case object(JSON)
    /// The request was refused, and what it asked for was not done.
    case refusal(SquareRefusal)
    /// Another request is in the way: one with the same key, or one that changed the object since.
    ///
    /// This request was not done, but nothing is said of that other one, which may be ours.
    case clash(SquareRefusal)
    /// Nothing is promised: a fault, a limit, or not Square's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// A limit (429) says nothing about an earlier request under the same key, and `TEMPORARY_ERROR` asks for the same
    /// request again; both are doubt, which leads to just that.
    init(_ reply: WireReply) {
        guard let json = Self.json(reply), json.objectValue != nil else {
            self = .doubt("Square's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let errors = json["errors"]
        guard errors == nil || errors?.arrayValue == [] else {
            self = Self.refused(reply.status, json, errors?.arrayValue ?? [])
            return
        }
        self = reply.status == 200 ? .object(json) : .doubt("HTTP \(reply.status) without a documented body.")
    }

    private static func refused(_ status: Int, _ json: JSON, _ errors: [JSON]) -> SquareReply {
        let read = errors.compactMap(SquareError.init)
        guard read.count == errors.count, let refusal = SquareRefusal(status: status, errors: read, body: json) else {
            return .doubt("HTTP \(status) with errors that Square does not document.")
        }
        if refusal.isClash, (400...409).contains(status) { return .clash(refusal) }
        switch (status, refusal.category) {
        case (401, .authentication), (403, .authentication): return .refusal(refusal)
        case (400...404, .invalidRequest), (400, .refund), (402...404, .refund), (400, .paymentMethod),
            (402, .paymentMethod):
            return refusal.isTemporary ? .doubt("HTTP \(status): \(refusal.sentence)") : .refusal(refusal)
        default: return .doubt("HTTP \(status): \(refusal.sentence)")
        }
    }

    private static func json(_ reply: WireReply) -> JSON? { reply.isJSON ? try? JSON.parse(reply.body) : nil }
}

/// A page of a list.
///
/// Square leaves an empty list out, so that a page without anything is the last one.
struct SquarePage {
    var elements: [JSON]
    /// Where the next page begins; nil on the last one.
    var cursor: String?

    /// Reads a page; nil if the object has anything else in it than the list and the cursor.
    init?(_ json: JSON, of list: String) {
        guard let members = json.objectValue, members.allSatisfy({ [list, "cursor", "errors"].contains($0.key) }),
            let elements = json[list].map({ $0.arrayValue }) ?? []
        else { return nil }
        self.elements = elements
        cursor = json["cursor"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A request that Square refused.
struct SquareRefusal {
    /// The HTTP status.
    var status: Int
    /// At least one.
    private var errors: [SquareError]
    /// The state of the payment that came along, if one did.
    var paymentStatus: String?
    /// The attempt that the payment names, if a payment came along.
    var paymentReference: String?

    /// Gathers what was refused; nil without an error.
    init?(status: Int, errors: [SquareError], body: JSON) {
        guard !errors.isEmpty else { return nil }
        self.status = status
        self.errors = errors
        paymentStatus = body["payment"].map { $0["status"]?.stringValue ?? "" }
        paymentReference = body["payment"].map { $0["reference_id"]?.stringValue ?? "" }
    }

    /// The category of the first error, which the HTTP status goes with.
    var category: SquareError.Category { errors[0].category }
    /// The most telling code: that of a decline with a category of its own, else the first.
    var code: String {
        let telling = errors.first { error in
            SquareDeclines.category(error.code).map { $0 != .generic } ?? false
        }
        return (telling ?? errors[0]).code
    }

    /// Whether the seller's token, rather than the request, was refused.
    var concernsToken: Bool { category == .authentication }
    /// Whether the payment's state would say no more: a refused token shows nothing, and what there is not has none.
    var leavesNothingToLookAt: Bool { concernsToken || code == "NOT_FOUND" }
    /// Whether another request is in the way.
    var isClash: Bool { errors.contains { Self.clashes.contains($0.code) } }
    /// Whether Square asks for the same request again.
    var isTemporary: Bool { errors.contains { $0.code == "TEMPORARY_ERROR" } }

    /// The decline that the errors report; nil if they refuse the request.
    ///
    /// An error of the payment method with a code that we do not know is one, too.
    var decline: Decline? {
        let known = SquareDeclines.category(code)
        guard known != nil || (category == .paymentMethod && !SquareRefusals.isKnown(code)) else { return nil }
        return Decline(code: code, category: known ?? .generic, message: sentence)
    }

    /// Status, categories, codes and fields in one sentence, without anything that was sent.
    var sentence: String {
        let words = errors.prefix(4).map { error in
            error.code + (error.field.map { " for \($0)" } ?? "")
        }
        return "Square answered \(category.rawValue) (HTTP \(status): \(words.joined(separator: ", ")))."
    }

    /// `VERSION_MISMATCH` is named in the text of the description only, not in its list of codes.
    private static let clashes: Set<String> = ["CONFLICT", "IDEMPOTENCY_KEY_REUSED", "VERSION_MISMATCH"]
}

/// One of the errors of a refused request, or of a payment that failed.
///
/// Square's own sentence (`detail`) is not kept: it may repeat what was sent.
struct SquareError {
    /// The categories that Square documents.
    enum Category: String {
        /// Something failed at Square.
        case api = "API_ERROR"
        /// The token was refused.
        case authentication = "AUTHENTICATION_ERROR"
        /// The request was refused.
        case invalidRequest = "INVALID_REQUEST_ERROR"
        /// Too many requests.
        case rateLimit = "RATE_LIMIT_ERROR"
        /// The issuer, a risk rule or the card said no.
        case paymentMethod = "PAYMENT_METHOD_ERROR"
        /// A refund was refused.
        case refund = "REFUND_ERROR"
        /// The seller lacks a subscription.
        case subscription = "MERCHANT_SUBSCRIPTION_ERROR"
        /// Somebody else's interface failed.
        case vendor = "EXTERNAL_VENDOR_ERROR"
    }

    var category: Category
    var code: String
    /// The field that the error is about.
    var field: String?

    /// Reads the object; nil if it has no category that Square documents, or a code that is no word.
    init?(_ json: JSON) {
        guard let category = json["category"]?.stringValue.flatMap(Category.init(rawValue:)),
            let code = json["code"]?.stringValue.flatMap(ProtocolText.word)
        else { return nil }
        self.category = category
        self.code = code
        field = json["field"]?.stringValue.flatMap(ProtocolText.word)
    }
}
