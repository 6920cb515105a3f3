/// What text of a kind may consist of, wherever it comes in: API, declaration, command line.
///
/// Identifiers are ASCII, so that what looks the same is the same: databases compare bytes, and "é" has two spellings
/// (Unicode TR36 section 2, UTS 39 section 3). What people read may be in any script, in one spelling (NFC, UAX #15).
package enum TextRule: Hashable, Sendable, CaseIterable {
    /// `a-z 0-9 . - _`, beginning with a letter or a digit: marketplaces, PSP accounts, PSPs, API keys' names.
    case slug
    /// `A-Z a-z 0-9 . _ - : @ / + # ~`: merchants' external identifiers, and what merchants are called at others.
    case identifier
    /// Printable ASCII, a space only inside: references, keys of metadata, tokens and names that a PSP gave.
    case reference
    /// Any script, normalised to NFC, without what cannot be seen: controls, line breaks, marks of direction, tags, and
    /// characters of no width, the joiners of emoji sequences among them.
    case freeText

    /// The alphabet, completing the sentence "Must consist of …".
    package var alphabet: String {
        switch self {
        case .slug: "a-z, 0-9, '.', '-', '_', beginning with a letter or a digit"
        case .identifier: "A-Z, a-z, 0-9 and . _ - : @ / + # ~"
        case .reference: "printable ASCII, without a space at either end"
        case .freeText: "visible characters"
        }
    }

    /// The text, in the one spelling it has.
    ///
    /// - Throws: ``TextObjection`` for the first character that has no place in it.
    package func accept(_ text: String) throws(TextObjection) -> String {
        guard self == .freeText else {
            try refuse(text)
            return text
        }
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        guard !text.hasLongCombiningRun else { throw TextObjection(self, at: text.placeOfLongCombiningRun) }
        try refuse(text)
        return text.normalised
    }

    /// Whether the text is as ``accept(_:)`` would answer it.
    package func allows(_ text: String) -> Bool {
        guard let accepted = try? accept(text) else { return false }
        return accepted.utf8.elementsEqual(text.utf8)
    }

    private func refuse(_ text: String) throws(TextObjection) {
        let scalars = text.unicodeScalars
        var position = 0
        var index = scalars.startIndex
        while index < scalars.endIndex {
            position += 1
            let next = scalars.index(after: index)
            let isInside = position > 1 && next < scalars.endIndex
            guard takes(scalars[index], isFirst: position == 1, isInside: isInside) else {
                throw TextObjection(self, at: (scalars[index], position))
            }
            index = next
        }
    }

    private func takes(_ scalar: Unicode.Scalar, isFirst: Bool, isInside: Bool) -> Bool {
        switch self {
        case .slug:
            switch scalar {
            case "a"..."z", "0"..."9": true
            case ".", "-", "_": !isFirst
            default: false
            }
        case .identifier:
            switch scalar {
            case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-", ":", "@", "/", "+", "#", "~": true
            default: false
            }
        case .reference: scalar == " " ? isInside : ("!"..."~").contains(scalar)
        case .freeText: scalar.isVisible
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character shows itself and changes no other's place: no control, format or separator of lines, and
    /// nothing that is drawn as nothing but the variation selectors of emoji.
    fileprivate var isVisible: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
        }
    }
}

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

/// Text from outside as a terminal, a log or a file takes it.
extension String {
    /// The text with every control and format character replaced by its number: `\u{1b}`.
    ///
    /// What could steer a terminal or turn the direction of text is shown instead of sent.
    package var harmless: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.steersTerminals {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminals: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
