/// Texts of a PSP's that may be kept: in logs, errors and books nothing else passes that it writes.
public enum ProtocolText {
    /// The text if it is a word of a protocol, so that no free text passes: 1 to 80 ASCII letters, digits, `_`, `-`, `.`, and
    /// the brackets of a parameter's name.
    public static func word(_ text: String) -> String? {
        (1...80).contains(text.utf8.count) && text.utf8.allSatisfy(isOfWord) ? text : nil
    }

    /// The text if it is a JSON path of such words: `$` and at most 119 more bytes.
    public static func path(_ text: String) -> String? {
        text.hasPrefix("$") && text.utf8.count <= 120 && text.utf8.dropFirst().allSatisfy(isOfWord) ? text : nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// Whether the text has between 1 and `limit` bytes, all printable ASCII but the space.
    public static func isPrintable(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
