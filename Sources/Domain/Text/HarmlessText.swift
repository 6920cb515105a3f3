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
