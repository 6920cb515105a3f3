import Crypto
import Domain

/// Days as banks write them.
extension CalendarDay {
    /// Reads `YYYY-MM-DD`, whatever follows; the year is not 0.
    init?(iso text: ArraySlice<UInt8>) {
        guard let day = CalendarDay(digits: text.count, { text[text.startIndex + $0] }), day.year > 0 else {
            return nil
        }
        self = day
    }

    /// Reads `YYMMDD` as SWIFT does: years up to 79 are of this century.
    init?(swift text: ArraySlice<UInt8>) {
        guard text.count == 6, let number = Digits.number(text) else { return nil }
        let year = number / 10_000
        self.init(year: year + (year < 80 ? 2_000 : 1_900), month: number / 100 % 100, day: number % 100)
    }

    /// Reads `MMDD`, as the day nearest to another.
    init?(monthDay text: ArraySlice<UInt8>, near other: CalendarDay) {
        guard text.count == 4, let number = Digits.number(text) else { return nil }
        let candidates = (other.year - 1...other.year + 1).compactMap { year in
            CalendarDay(year: year, month: number / 100, day: number % 100)
        }
        guard let nearest = Self.nearest(of: candidates, to: other) else { return nil }
        self = nearest
    }

    /// The day nearest to another; nil of none.
    static func nearest(of days: [CalendarDay], to other: CalendarDay) -> CalendarDay? {
        days.min { abs($0.days(since: other)) < abs($1.days(since: other)) }
    }

    /// `YYYY-MM-DD`.
    var date: SettlementDate { SettlementDate(description) }
}

/// Looks up currencies by the bytes of their codes; a file has few of them.
struct CurrencyCache {
    private var known: [(code: UInt32, currency: Currency)] = []

    /// The currency of three letters; nil if ISO 4217 has none such in force.
    func currency(_ code: ArraySlice<UInt8>) -> Currency? {
        guard code.count == 3 else { return nil }
        let key = Self.key(code)
        for entry in known where entry.code == key { return entry.currency }
        return Currency(code: String(decoding: code, as: UTF8.self))
    }

    /// Remembers a currency.
    mutating func remember(_ currency: Currency) {
        let key = Self.key(Array(currency.code.utf8)[...])
        guard known.count < 16, !known.contains(where: { $0.code == key }) else { return }
        known.append((key, currency))
    }

    private static func key(_ code: ArraySlice<UInt8>) -> UInt32 { code.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Decimal numbers as XML Schema and SWIFT write them, made into the one form that amounts are read from.
enum DecimalText {
    /// `+12`, `.5` and `5.` as `12`, `0.5` and `5`; everything else as it is.
    static func canonical(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        if text.first == UInt8(ascii: "+") { text = text.dropFirst() }
        if text.first == UInt8(ascii: "."), text.count > 1 { text = [UInt8(ascii: "0")] + text }
        if text.last == UInt8(ascii: "."), text.count > 1 { text = text.dropLast() }
        return text
    }

    /// SWIFT's comma as a point; banks leave it out where nothing follows.
    static func swift(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return text }
        var text = text
        text[comma] = UInt8(ascii: ".")
        return text.last == UInt8(ascii: ".") ? text.dropLast() : text
    }
}

/// Numbers of decimal digits in ASCII.
enum Digits {
    /// The number; nil if there is none, or something else than up to 18 digits.
    static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty, text.count <= 18 else { return nil }
        var number = 0
        for byte in text {
            guard isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

/// Hashes what a file says of an entry: the first 128 bits of a SHA-256.
struct EntryFingerprint {
    /// How much is gathered before it is hashed.
    private static let bufferBytes = 16_384

    private var hash = SHA256()
    private var buffer: [UInt8] = []

    /// Adds a field; fields cannot run into each other.
    mutating func add(_ name: String, _ value: ArraySlice<UInt8>) {
        buffer += name.utf8
        buffer.append(0)
        buffer += value
        buffer.append(0)
        if buffer.count >= Self.bufferBytes { flush() }
    }

    /// The hash; the next entry can begin.
    mutating func finish() -> UInt128 {
        flush()
        let value = hash.finalize().prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        hash = SHA256()
        return value
    }

    private mutating func flush() {
        unsafe buffer.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// How a text begins, whatever its encoding.
enum TextStart {
    /// Whether the text begins as XML does.
    static func isXML(_ text: [UInt8]) -> Bool { withoutMark(text).first { !isSpace($0) } == UInt8(ascii: "<") }

    /// The text without a byte order mark.
    static func withoutMark(_ text: [UInt8]) -> ArraySlice<UInt8> {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        for mark in marks where text.starts(with: mark) { return text.dropFirst(mark.count) }
        return text[...]
    }

    /// Whether a byte is a space, a tab or a part of a line end.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
