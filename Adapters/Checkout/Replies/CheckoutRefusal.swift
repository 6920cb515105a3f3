import StrictJSON

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
        self.requestID = requestID.flatMap(Self.word)
    }

    /// Reads the body; nil if it is no error as Checkout.com documents it.
    init?(status: Int, _ json: JSON, requestID: String?) {
        guard let type = json["error_type"]?.stringValue.flatMap(Self.word) else { return nil }
        self.status = status
        self.type = type
        codes = (json["error_codes"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(Self.word) }
        self.requestID = (requestID ?? json["request_id"]?.stringValue).flatMap(Self.word)
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
