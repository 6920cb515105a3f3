import Domain

/// The texts of a settlement line, in one stretch of memory: a report has half a dozen in every row.
package struct LineTexts: Hashable, Sendable {
    /// Where a text stands; nowhere if its length is below zero.
    private struct Place {
        var start: Int32 = 0
        var length: Int32 = -1
    }

    /// How much is made room for at once, in bytes; most lines need no more.
    private static let usualBytes = 192

    /// What the texts stand in, in UTF-8; some of it may mean nothing any more.
    package private(set) var bytes: [UInt8] = []
    private var places = InlineArray<8, Place>(repeating: Place())

    /// No texts.
    init() {}

    /// Where a text stands in ``bytes``; nil if there is none.
    package func range(of text: SettlementLine.Text) -> Range<Int>? {
        let place = places[text.rawValue]
        guard place.length >= 0 else { return nil }
        return Int(place.start)..<Int(place.start + place.length)
    }

    /// A text; nil if there is none.
    subscript(text: SettlementLine.Text) -> String? {
        get { range(of: text).map { String(decoding: bytes[$0], as: UTF8.self).withBoundedRuns } }
        set {
            if let newValue { write(text, newValue.utf8) } else { places[text.rawValue] = Place() }
        }
    }

    /// Writes a text, which has to be UTF-8.
    mutating func write(_ text: SettlementLine.Text, _ utf8: some Collection<UInt8>) {
        let start = bytes.count
        if bytes.isEmpty { bytes.reserveCapacity(Self.usualBytes) }
        bytes.append(contentsOf: utf8)
        places[text.rawValue] = Place(start: Int32(start), length: Int32(bytes.count - start))
    }

    private func content(of text: SettlementLine.Text) -> ArraySlice<UInt8>? { range(of: text).map { bytes[$0] } }

    /// Texts are equal if each is; where they stand does not matter.
    package static func == (left: LineTexts, right: LineTexts) -> Bool {
        SettlementLine.Text.allCases.allSatisfy { left.content(of: $0) == right.content(of: $0) }
    }

    /// Hashes each text.
    package func hash(into hasher: inout Hasher) {
        for text in SettlementLine.Text.allCases { hasher.combine(content(of: text)) }
    }
}
