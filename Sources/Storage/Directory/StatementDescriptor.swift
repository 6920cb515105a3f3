import Domain
package import StrictJSON

/// What a buyer reads on the statement, as it is declared of a merchant or told of a context: one rule for both.
///
/// It is what card networks take of each other: at most 22 characters of printable ASCII, with a letter among them. What of
/// that a PSP takes, each adapter knows, and leaves out or cuts the rest.
package enum StatementDescriptor {
    private static let lengths = 1...22

    /// Reads `statement_descriptor`; nil where there is none, or where a violation was recorded.
    package static func read(_ body: ObjectReader) -> String? {
        let key = "statement_descriptor"
        let text = body.string(key, .optional, length: lengths, by: TextRule.reference.accept)
        guard let text else { return nil }
        guard text.utf8.contains(where: isLetter) else {
            body.refuse(key, "not_allowed", "Must have a letter in it.")
            return nil
        }
        return text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}
