/// A character that has no place in text of its kind.
package struct TextObjection: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of text.
    package let rule: TextRule
    /// The character.
    package let scalar: Unicode.Scalar
    /// Which character of the text it is, counted in code points from 1.
    package let position: Int

    init(_ rule: TextRule, at place: (scalar: Unicode.Scalar, position: Int)) {
        self.rule = rule
        scalar = place.scalar
        position = place.position
    }

    /// A sentence for the sender, with the code point and its place: never the character itself.
    package var description: String {
        "Must consist of \(rule.alphabet); \(scalar.codePoint) at character \(position) is not allowed."
    }
}

extension Unicode.Scalar {
    /// The number as Unicode writes it, `U+0301`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
