/// A date or a time as a report writes it.
///
/// Reports name time zones that only a table of zones could resolve, or none; so the text is kept, and it names a moment
/// only where that takes no guess.
public struct SettlementDate: Hashable, Sendable {
    /// Every text is kept in one way only, so that equal texts are equal.
    private enum Written: Hashable {
        case short(ShortText)
        case long(String)
    }

    /// The time zone that the report names beside it.
    public let zone: String?
    private let written: Written

    /// Makes a date.
    public init(_ text: String, zone: String? = nil) {
        written = ShortText(text.utf8.span).map { .short($0) } ?? .long(text)
        self.zone = zone
    }

    /// Makes a date of few ASCII characters; nil if it is something else.
    public init?(short text: Span<UInt8>, zone: String?) {
        guard let text = ShortText(text) else { return nil }
        written = .short(text)
        self.zone = zone
    }

    /// As it stands in the report.
    public var text: String {
        switch written {
        case .short(let text): text.text
        case .long(let text): text
        }
    }

    /// The day that the text begins with; nil if it begins with none.
    package var leadingDay: CalendarDay? {
        switch written {
        case .short(let text): CalendarDay(digits: Int(text.count)) { text[$0] }
        case .long(let text): CalendarDay(text)
        }
    }

    /// The calendar day, `YYYY-MM-DD`, in the report's time zone; nil if the text does not begin with one.
    public var day: String? {
        let day = text.prefix(10)
        return RFC3339.timestamp("\(day)T00:00:00Z") == nil ? nil : String(day)
    }

    /// The moment, if the text has an offset or the zone is UTC.
    ///
    /// A day without a time is no moment. A space may stand for the `T`, and seconds may be missing.
    public var timestamp: Timestamp? {
        guard text.utf8.count > 10, day != nil else { return nil }
        let time = text.dropFirst(10)
        guard let separator = time.first, " Tt".contains(separator) else { return nil }
        let written = "\(text.prefix(10))T\(time.dropFirst())"
        if let moment = RFC3339.timestamp(written) { return moment }
        guard let zone, ["UTC", "GMT", "Z"].contains(zone.uppercased()) else { return nil }
        return RFC3339.timestamp(written + "Z") ?? RFC3339.timestamp(written + ":00Z")
    }
}

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
