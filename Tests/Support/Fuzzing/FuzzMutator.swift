package import SeededRandom
import StrictJSON

/// Changes documents: JSON by its values, bytes as they come, and what text formats are made of, numbers, quoted texts, lines and elements.
package struct FuzzMutator: Sendable {
    /// The longest that a changed document gets, in bytes, unless its original is longer.
    package static let byteLimit = 1 << 18

    /// Numbers at which readers go wrong.
    private static let numbers = [
        "0", "-0", "-1", "1", "00", "01", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "4294967296",
        "1e309", "1e-309", "1E3", "0.1", "1.", ".5", "1,00", "1.000,00", "99999999999999999999999999999999", "1_000",
        "NaN",
        "0x10", "١", "2147483648", "1125899906842624", "1125899906842625", "-00.00",
        "1" + String(repeating: "0", count: 400),
    ]
    /// Texts at which readers go wrong.
    private static let texts = [
        "", " ", "\u{0}", "\u{1F}", "\u{7F}", "\\u0000", "\\uD800", "\\uDC00\\uD800", "é", "e\u{301}", "👨‍👩‍👧‍👦", "\u{FEFF}",
        "\u{202E}",
        "../../x", "%00", "%zz", "'", "\"", "\\", "\r\n", "\n", "&amp;", "&x;", "<![CDATA[", "]]>", "<!--",
        "2026-02-30",
        "2026-13-01", "0000-00-00", "9999-12-31T23:59:60Z", "USD", "JPY", "BHD", "XXX", "usd", "null", "true", "[]",
        "{}",
        "https://a.example/?a=b#c", "http://[::1]:99999/", "::", "*a", "&a", "!!binary", "- -", "? :", "|", ">", "@",
        String(repeating: "a", count: 5000), String(repeating: "\u{301}", count: 300),
        String(repeating: "[", count: 2000),
        String(repeating: "<a>", count: 2000), String(repeating: "{\"a\":", count: 1000),
    ]

    private let corpus: [[UInt8]]
    private let values: JSONMutator?
    private var random: SeededRandom

    /// Makes one of a corpus, which has at least one document, and random numbers.
    package init(_ corpus: [[UInt8]], _ random: SeededRandom) {
        self.corpus = corpus
        self.random = random
        let documents = corpus.compactMap { try? JSON.parse($0) }
        values = documents.isEmpty ? nil : JSONMutator(documents)
    }

    /// The same, with an execution's random numbers.
    package func with(_ random: SeededRandom) -> FuzzMutator {
        var mutator = self
        mutator.random = random
        return mutator
    }

    /// One of the documents, changed a few times; now and then as it is.
    package mutating func next() -> [UInt8] { changed(random.one(of: corpus)) }

    /// A document, changed a few times; now and then as it is.
    package mutating func changed(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        if let values, random.below(4) != 0, var document = try? JSON.parse(original) {
            for _ in 0..<random.one(of: [1, 1, 1, 2, 3]) { document = values.changed(document, &random) }
            bytes = document.bytes
            if random.below(8) != 0 { return bytes }
        }
        for _ in 0..<random.one(of: [0, 1, 1, 1, 1, 2, 2, 3, 5, 12]) {
            if random.below(2) == 0 { changeBytes(&bytes) } else { changeText(&bytes) }
        }
        return Array(bytes.prefix(max(original.count, Self.byteLimit)))
    }

    private mutating func changeBytes(_ bytes: inout [UInt8]) {
        let place = bytes.isEmpty ? 0 : random.below(bytes.count)
        let count = min(1 + random.below(random.below(8) == 0 ? 400 : 12), bytes.count - place)
        switch random.below(9) {
        case 0: if !bytes.isEmpty { bytes[place] ^= 1 << UInt8(random.below(8)) }
        case 1: if !bytes.isEmpty { bytes[place] = UInt8(random.below(256)) }
        case 2: bytes.insert(random.one(of: [0, 0x0A, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0xC3, 0xED, 0xFF]), at: place)
        case 3: bytes.removeSubrange(place..<place + count)
        case 4: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
        case 5: bytes.replaceSubrange(place..<place + count, with: (0..<count).map { _ in UInt8(random.below(256)) })
        case 6: bytes.removeSubrange(place...)
        case 7:
            let other = random.one(of: corpus)
            bytes = Array(bytes[..<place]) + other.suffix(other.isEmpty ? 0 : random.below(other.count) + 1)
        default:
            let other = random.one(of: corpus)
            let start = other.isEmpty ? 0 : random.below(other.count)
            bytes.insert(contentsOf: other[start..<min(start + 1 + random.below(60), other.count)], at: place)
        }
    }

    private mutating func changeText(_ bytes: inout [UInt8]) {
        switch random.below(7) {
        case 0: replace(&bytes, Self.isDigit, with: Array(random.one(of: Self.numbers).utf8))
        case 1: replace(&bytes, Self.isLetter, with: Array(random.one(of: Self.texts).utf8))
        case 2: replace(&bytes, Self.isLetter, with: word(of: random.one(of: corpus), Self.isLetter))
        case 3: replace(&bytes, Self.isDigit, with: word(of: random.one(of: corpus), Self.isDigit))
        case 4: changePieces(&bytes, between: 0x0A)
        case 5: changePieces(&bytes, between: random.one(of: [0x2C, 0x3C, 0x26, 0x7B, 0x3B, 0x3A]))
        default:
            let place = bytes.isEmpty ? 0 : random.below(bytes.count)
            bytes.insert(contentsOf: Array(random.one(of: Self.texts).utf8), at: place)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || byte == 0x2E || byte == 0x2D }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x5F }

    /// The run of alike bytes nearest behind a random place; empty if there is none.
    private mutating func run(in bytes: [UInt8], _ belongs: (UInt8) -> Bool) -> Range<Int> {
        guard !bytes.isEmpty else { return 0..<0 }
        let place = random.below(bytes.count)
        guard let first = bytes[place...].firstIndex(where: belongs) ?? bytes.firstIndex(where: belongs) else {
            return place..<place
        }
        return first..<(bytes[first...].firstIndex { !belongs($0) } ?? bytes.count)
    }

    private mutating func word(of bytes: [UInt8], _ belongs: (UInt8) -> Bool) -> [UInt8] {
        Array(bytes[run(in: bytes, belongs)])
    }

    private mutating func replace(_ bytes: inout [UInt8], _ belongs: (UInt8) -> Bool, with word: [UInt8]) {
        bytes.replaceSubrange(run(in: bytes, belongs), with: word)
    }

    /// Has a piece gone, twice, or in another's place.
    private mutating func changePieces(_ bytes: inout [UInt8], between separator: UInt8) {
        var pieces = bytes.split(separator: separator, maxSplits: 4000, omittingEmptySubsequences: false)
        let (one, other) = (random.below(pieces.count), random.below(pieces.count))
        switch random.below(4) {
        case 0: pieces.remove(at: one)
        case 1: pieces.insert(pieces[one], at: other)
        case 2: pieces.swapAt(one, other)
        default: pieces += [ArraySlice<UInt8>](repeating: pieces[one], count: 1 + random.below(30))
        }
        bytes = Array(pieces.joined(separator: CollectionOfOne(separator)))
    }
}
