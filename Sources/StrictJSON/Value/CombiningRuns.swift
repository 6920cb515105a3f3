/// Runs of combining marks in text from outside.
///
/// Swift compares, hashes and searches text by canonical equivalence, for which every run of marks is sorted: 100,000
/// marks of alternating classes take seconds. UAX #15 section 13 (Stream-Safe Text Format) bounds a run to 30 marks;
/// no language needs more.
package enum CombiningRuns: Hashable, Sendable {
    /// A run that is too long is refused (`combining_run`): for what a caller can write otherwise.
    case refused
    /// U+034F, which is invisible, stands after every 30 marks: for what has to be read whatever it is.
    case broken

    /// How many marks may follow one another.
    static let limit = 30

    /// The text with its runs bounded; nil where a run that is too long is refused.
    func applied(to text: String) -> String? {
        // Every combining mark is U+0300 or later, and so begins with a byte of 0xCC or more.
        guard text.utf8.count > 2 * Self.limit, text.utf8.contains(where: { $0 >= 0xCC }) else { return text }
        var result = String.UnicodeScalarView()
        var run = 0
        for scalar in text.unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            if run > Self.limit {
                guard self == .broken else { return nil }
                result.append("\u{34F}")
                run = 1
            }
            result.append(scalar)
        }
        return String(result)
    }
}
