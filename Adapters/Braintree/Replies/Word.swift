/// Text that is a word of a protocol, so that no free text passes: 1 to 80 letters, digits, `_`, `-` or `.`.
struct Word {
    /// The word.
    let text: String

    /// Takes the text; nil if it is no word.
    init?(_ text: String) {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isWord, (1...80).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// Whether the text can be an identifier of Braintree's: 1 to 255 visible characters of ASCII.
    static func isIdentifier(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
