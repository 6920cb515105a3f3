/// A line on the buyer's statement: at most 24 letters, digits, spaces, and `,` `.` `/` `-`.
enum Narrative {
    private static let limit = 24

    /// The text as such a line, other characters left out; nil if none is left.
    static func line(_ text: String) -> String? {
        let allowed = text.utf8.filter { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        let line = String(decoding: allowed.drop { $0 == UInt8(ascii: " ") }.prefix(limit), as: UTF8.self)
        return line.isEmpty ? nil : line
    }
}
