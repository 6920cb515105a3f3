import Domain

/// Runs of combining marks in YAML, found before it is parsed: the parser compares keys as Swift compares text, in a time
/// that grows with the square of such a run.
enum YAMLRuns {
    /// Whether more than 30 combining marks, or escapes that could stand for them, follow one another.
    ///
    /// White space between them does not end a run: an escaped line break joins what stands around it.
    static func areLong(in text: String) -> Bool {
        guard !text.hasLongCombiningRun else { return true }
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
        var run = 0
        var digits = 0
        var isEscape = false
        for scalar in text.unicodeScalars {
            if isEscape {
                isEscape = false
                digits = scalar == "u" ? 4 : scalar == "U" ? 8 : scalar == "x" ? 2 : 0
                if digits > 0 { run += 1 } else if !scalar.properties.isWhitespace { run = 0 }
            } else if digits > 0 {
                digits -= 1
            } else if scalar == "\\" {
                isEscape = true
            } else if scalar.isCombining {
                run += 1
            } else if !scalar.properties.isWhitespace {
                run = 0
            }
            if run > String.combiningRunLimit { return true }
        }
        return false
    }
}
