import StrictJSON

/// The error object of a refused request.
///
/// Adyen's own sentence is not kept: it may repeat what was sent. Its reference leads an operator to it in the Customer
/// Area.
struct ServiceError {
    var code: String
    /// `validation`, `security`, `configuration` or `internal`.
    var type: String
    var reference: String?

    /// Reads the object; nil if it is none as Adyen documents it for this HTTP status.
    init?(_ json: JSON, status: Int) {
        guard let code = json["errorCode"]?.stringValue.flatMap(Self.word),
            let type = json["errorType"]?.stringValue.flatMap(Self.word),
            json["status"].map({ $0.integerValue == Int64(status) }) ?? true, json["resultCode"] == nil
        else { return nil }
        self.code = code
        self.type = type
        reference = json["pspReference"]?.stringValue.flatMap(Self.word)
    }

    /// Whether Adyen promises that nothing was done: it refused the request itself.
    ///
    /// The same key is still at work, or Adyen is busy, for codes 701, 703 and 704; they say nothing of the first
    /// request. Of the faults (500), only 905, "Payment details are not supported", is known to be a matter of set-up.
    func isRefusal(status: Int) -> Bool {
        switch status {
        case 400, 401, 403, 422:
            ["validation", "security", "configuration"].contains(type) && !["701", "703", "704"].contains(code)
        case 500: type == "configuration" && (code == "905" || code.hasPrefix("905_"))
        default: false
        }
    }

    /// Type, code and reference in one sentence, without anything that was sent.
    var sentence: String {
        "Adyen answered a \(type) error (code \(code)\(reference.map { ", reference \($0)" } ?? ""))."
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
