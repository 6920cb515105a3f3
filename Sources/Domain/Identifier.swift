/// The kind of thing an identifier names, and the prefix that says so.
public protocol IdentifierTag: Sendable {
    /// The prefix without the underscore, for example `"ord"`.
    static var prefix: String { get }
}

/// A prefixed, time-ordered identifier: `ord_` and a UUIDv7 (RFC 9562) in 26 digits of Crockford's base 32.
///
/// Only the bits are kept: there is one text for them.
/// Identifiers of different things are different types, so they cannot be interchanged.
public struct Identifier<Tag: IdentifierTag>: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 128 bits, the time first.
    package var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    private let high: UInt64
    private let low: UInt64

    /// Parses text; nil unless it has the prefix, an underscore and 26 base-32 digits that make 128 bits.
    public init?(_ text: String) { self.init(utf8: text.utf8.span) }

    /// Parses text in UTF-8, as the initializer that takes a string.
    package init?(utf8 bytes: Span<UInt8>) {
        guard bytes.count > Crockford.length else { return nil }
        var place = 0
        for byte in Tag.prefix.utf8 {
            guard place < bytes.count, bytes[place] == byte else { return nil }
            place += 1
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "_"),
            let bits = Crockford.decode(bytes.extracting((place + 1)...))
        else { return nil }
        self.init(bits: bits)
    }

    /// Makes an identifier of 128 bits that name the same thing wherever it is found.
    package init(bits: UInt128) { self.init(uuid: UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits)) }

    init(uuid high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The text, prefix included; ASCII, at most 31 characters.
    public var text: String {
        var bytes = InlineArray<31, UInt8>(repeating: UInt8(ascii: "_"))
        var count = 0
        for byte in Tag.prefix.utf8 {
            bytes[count] = byte
            count += 1
        }
        for place in 0..<Crockford.length { bytes[count + 1 + place] = Crockford.digit(place, of: high, low) }
        guard let text = try? UTF8Span(validating: bytes.span.extracting(..<(count + 1 + Crockford.length))) else {
            preconditionFailure("an identifier is ASCII")
        }
        return String(copying: text)
    }

    /// The text.
    public var description: String { text }

    /// Orders as the text does, which is the order of creation to the millisecond.
    public static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Crockford's base 32, lower case: no i, l, o, u.
enum Crockford {
    /// How many digits make 128 bits.
    static let length = 26

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    /// The number that each byte stands for as a digit; 255 for what is none.
    private static let numbers: [UInt8] = {
        var numbers = [UInt8](repeating: .max, count: 256)
        for (number, digit) in digits.enumerated() { numbers[Int(digit)] = UInt8(number) }
        return numbers
    }()

    /// One of the 26 digits of 128 bits in two halves, the most significant being the one at place 0.
    ///
    /// Two digits are of the first eight bits, and twelve of each sixty behind them.
    static func digit(_ place: Int, of high: UInt64, _ low: UInt64) -> UInt8 {
        let (part, last) =
            place < 2 ? (high &>> 56, 1) : place < 14 ? (high &<< 4 | low &>> 60, 13) : (low, 25)
        return digits[Int(truncatingIfNeeded: part &>> UInt64((last - place) * 5)) & 31]
    }

    /// The bits of 26 digits; nil if they are none, or make more than 128 bits.
    static func decode(_ text: Span<UInt8>) -> UInt128? {
        let numbers = numbers
        guard text.count == length, text[0] <= UInt8(ascii: "7"), let first = number(text, 0..<2, numbers.span),
            let middle = number(text, 2..<14, numbers.span), let last = number(text, 14..<26, numbers.span)
        else { return nil }
        return UInt128(first) << 120 | UInt128(middle) << 60 | UInt128(last)
    }

    /// The number that at most twelve digits make; nil if they are none.
    private static func number(_ text: Span<UInt8>, _ range: Range<Int>, _ numbers: Span<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        var wrong: UInt8 = 0
        for place in range {
            let digit = numbers[Int(text[place])]
            wrong |= digit
            number = number << 5 | UInt64(digit & 31)
        }
        return wrong < 32 ? number : nil
    }
}

extension OrderID {
    /// How many of the last bits tell an order's parts apart; of the order itself they are zero.
    fileprivate static var partBits: UInt64 { 32 }

    /// The order that a part's identifier belongs to, if there is such an order: the identifiers of its payments, attempts,
    /// operations, refunds, disputes, events and entries begin with its own.
    package init<Part>(of part: Identifier<Part>) { self.init(beginning: part) }

    /// An order's identifier with room for those of its parts.
    package static func make(from ids: inout IdentifierSource, at time: Timestamp) -> OrderID {
        let unique: OrderID = ids.make(at: time)
        return OrderID(of: unique)
    }

    /// The millisecond of its making that the identifier begins with, in microseconds since 1970.
    package var beginning: Timestamp { Timestamp(microseconds: Int64(bits >> 80) * 1000) }

    private init<Part>(beginning part: Identifier<Part>) {
        self.init(bits: (part.bits >> UInt128(Self.partBits)) << UInt128(Self.partBits))
    }
}

extension Identifier {
    /// The identifier of an order's part that a step made, by the number that it has among those of the step.
    package init(of order: OrderID, step: Int64, number: Int64) {
        let (step, number) = (UInt128(UInt64(bitPattern: step)), UInt128(UInt64(bitPattern: number)))
        self.init(bits: order.bits | step << UInt128(IdentifierSource.stepBits) | number)
    }

    /// The identifier of an order's part, by the last bits, which tell it from the order's other parts.
    package init(of order: OrderID, part: UInt32) { self.init(bits: order.bits | UInt128(part)) }

    /// The last bits, which tell an order's part from its others.
    package var part: UInt32 { UInt32(truncatingIfNeeded: bits) }

    /// The step that made an order's part: the order's version after it.
    package var step: Int64 { Int64((bits & UInt128(UInt32.max)) >> UInt128(IdentifierSource.stepBits)) }

    /// The number that an order's part has among those of its step.
    package var number: Int64 { Int64(bits & (1 << UInt128(IdentifierSource.stepBits) - 1)) }
}

/// Makes identifiers from a moment and random bits, so that a caller with a seed makes the same ones again; or those of an
/// order's parts, from the order's identifier and the step that makes them.
///
/// Identifiers made in one millisecond by one source keep the order in which they were made: the twelve bits
/// behind the time count up (RFC 9562 section 6.2, method 1).
public struct IdentifierSource: Sendable {
    /// How many identifiers of one kind or another a step of an order makes at most: 2 to the power of this.
    fileprivate static let stepBits: UInt64 = 14

    private var random: any RandomNumberGenerator & Sendable
    private var lastMillisecond: Int64 = -1
    private var counter: UInt64 = 0
    /// The first identifier of a step's, for the parts of an order.
    private var firstPart: UInt128?

    /// A source over the system's random numbers, or over `random`.
    public init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) { self.random = random }

    /// The most steps of which an order's parts can be told apart.
    package static let stepLimit: Int64 = 1 << 18

    /// A source of identifiers for what a step adds to an order: its identifier, the number of the step, and a count.
    ///
    /// Two steps of an order never have the same number, because the order's row is locked while one is stored. The count
    /// begins anywhere, so that a step that was lost with its database, and is taken again otherwise, makes others.
    ///
    /// - Precondition: `step` is below ``stepLimit``.
    /// - Parameters:
    ///   - order: the order.
    ///   - step: the order's version after the step.
    ///   - random: where the count begins.
    package init(
        of order: OrderID,
        step: Int64,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        precondition(step < Self.stepLimit, "an order has fewer steps than its parts' identifiers tell apart")
        self.init(random: random)
        firstPart = order.bits | UInt128(step) << UInt128(Self.stepBits)
        counter = self.random.next() & (1 << (Self.stepBits - 1) - 1)
    }

    /// Makes an identifier that carries the moment `time`; of an order's part, the moment of the order.
    public mutating func make<Tag>(at time: Timestamp) -> Identifier<Tag> {
        if let firstPart {
            counter += 1
            precondition(counter < 1 << Self.stepBits, "a step of an order makes fewer than 8,192 things")
            return Identifier(bits: firstPart | UInt128(counter))
        }
        let millisecond = max(time.microseconds / 1000, lastMillisecond, 0)
        if millisecond == lastMillisecond {
            counter += 1
        } else {
            lastMillisecond = millisecond
            counter = self.random.next() & 0x3FF
        }
        if counter > 0xFFF {
            lastMillisecond += 1
            counter = 0
        }
        let high = UInt64(bitPattern: lastMillisecond) << 16 | 0x7000 | counter
        let low = random.next() >> 2 | 0x8000_0000_0000_0000
        return Identifier(uuid: high, low)
    }
}
