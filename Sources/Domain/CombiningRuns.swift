@_spi(_Unicode) import Swift

/// Runs of combining marks, and the one spelling of text.
///
/// Swift compares, hashes and searches text by canonical equivalence, for which every run of marks is sorted: 100,000
/// marks of alternating classes take seconds. UAX #15 section 13 (Stream-Safe Text Format) bounds a run to 30 marks;
/// no language needs more.
extension String {
    /// How many combining marks may follow one another.
    package static let combiningRunLimit = 30

    /// Whether more than 30 combining marks follow one another.
    package var hasLongCombiningRun: Bool {
        // Every combining mark is U+0300 or later, and so begins with a byte of 0xCC or more.
        guard utf8.count > 2 * Self.combiningRunLimit, utf8.contains(where: { $0 >= 0xCC }) else { return false }
        return longRun != nil
    }

    /// The text with U+034F, which is invisible, after every 30 marks of a run: for what has to be read whatever it is.
    package var withBoundedRuns: String {
        guard hasLongCombiningRun else { return self }
        var result = String.UnicodeScalarView()
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.isCombining ? run + 1 : 0
            if run > Self.combiningRunLimit {
                result.append("\u{34F}")
                run = 1
            }
            result.append(scalar)
        }
        return String(result)
    }

    /// The text in small letters, without spaces around it: how a column of a file is found by its name.
    ///
    /// By bytes: going back by characters takes the square of a run of regional indicators, which are flags.
    package var columnName: String {
        let bytes = lowercased().utf8.drop { $0 == 0x20 }
        guard let last = bytes.lastIndex(where: { $0 != 0x20 }) else { return "" }
        return String(decoding: bytes[...last], as: UTF8.self)
    }

    /// The first mark that is one too many.
    var placeOfLongCombiningRun: (scalar: Unicode.Scalar, position: Int) { longRun ?? ("\u{34F}", 1) }

    /// The text in NFC.
    var normalised: String {
        var result = String.UnicodeScalarView()
        for scalar in _nfc { result.append(scalar) }
        return String(result)
    }

    private var longRun: (scalar: Unicode.Scalar, position: Int)? {
        var run = 0
        for (index, scalar) in unicodeScalars.enumerated() {
            run = scalar.isCombining ? run + 1 : 0
            if run > Self.combiningRunLimit { return (scalar, index + 1) }
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Whether it is a mark that counts in a run.
    package var isCombining: Bool {
        value >= 0x300 && properties.canonicalCombiningClass != .notReordered
    }
}
