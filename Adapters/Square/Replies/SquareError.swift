import StrictJSON

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
            let code = json["code"]?.stringValue.flatMap(Self.word)
        else { return nil }
        self.category = category
        self.code = code
        field = json["field"]?.stringValue.flatMap(Self.word)
    }

    /// The text if it is a word of a protocol, so that no free text passes.
    static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isWord && !text.isEmpty && text.utf8.count <= 80 ? text : nil
    }
}
