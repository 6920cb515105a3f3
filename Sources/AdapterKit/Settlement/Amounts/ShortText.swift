/// Up to 24 ASCII characters without memory of their own: a report has several dates in every row.
struct ShortText: Hashable, Sendable {
    /// The most characters.
    static let limit = 24

    /// Eight characters each, the first in the lowest byte; zero behind the last.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    /// How many characters there are.
    let count: Int8

    /// Takes characters; nil if they are too many, or not all ASCII.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count <= Self.limit else { return nil }
        var seen: UInt8 = 0
        func word(from start: Int) -> UInt64 {
            var word: UInt64 = 0
            for place in start..<max(start, min(start + 8, bytes.count)) {
                seen |= bytes[place]
                word |= UInt64(bytes[place]) << UInt64((place - start) * 8)
            }
            return word
        }
        first = word(from: 0)
        second = word(from: 8)
        third = word(from: 16)
        guard seen < 0x80 else { return nil }
        count = Int8(bytes.count)
    }

    /// The character at a place below ``count``.
    subscript(place: Int) -> UInt8 {
        let word = place < 8 ? first : place < 16 ? second : third
        return UInt8(truncatingIfNeeded: word >> UInt64(place % 8 * 8))
    }

    /// All of it.
    var text: String { String(decoding: (0..<Int(count)).map { self[$0] }, as: UTF8.self) }
}
