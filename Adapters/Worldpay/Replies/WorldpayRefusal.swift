import Domain
import StrictJSON

/// A request that Worldpay refused without doing what it asked for.
///
/// Worldpay's own sentence is not kept, because it may repeat what was sent; its codes and the path of the field are.
struct WorldpayRefusal {
    /// The HTTP status.
    var status: Int
    /// `errorName`, of the first field that is wrong if there is one.
    var code: String
    /// The field that is wrong, as a JSON path.
    var field: String?

    /// Reads the body; nil if it has no name of an error.
    init?(_ json: JSON, status: Int) {
        guard let name = json["errorName"]?.stringValue.flatMap(Self.word) else { return nil }
        self.status = status
        let first = json["validationErrors"]?[0]
        let own = first?["errorName"]?.stringValue.flatMap(Self.word)
        // The first refused field says more than that the body does not match the schema.
        code = own ?? name
        field = (first?["jsonPath"] ?? json["jsonPath"])?.stringValue.flatMap(Self.path)
    }

    /// A sentence for the operator, without anything that was sent.
    var sentence: String {
        "Worldpay refused the request (HTTP \(status), \(code)\(field.map { " at \($0)" } ?? ""))."
    }

    /// The text if it is a word of a protocol, so that no free text passes.
    static func word(_ text: String) -> String? {
        text.utf8.allSatisfy(isWordByte) && !text.isEmpty && text.utf8.count <= 80 ? text : nil
    }

    /// The text if it is a path of names.
    private static func path(_ text: String) -> String? {
        let isPath = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"): true
            default: isWordByte(byte)
            }
        }
        return isPath && text.hasPrefix("$") && text.utf8.count <= 120 ? text : nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
