/// The kind of thing an identifier names, and the prefix that says so.
public protocol IdentifierTag: Sendable {
    /// The prefix without the underscore, for example `"ord"`.
    static var prefix: String { get }
}

/// A prefixed, time-ordered identifier: `ord_` and a UUIDv7 (RFC 9562) in 26 digits of Crockford's base 32.
///
/// Identifiers of different things are different types, so they cannot be interchanged.
public struct Identifier<Tag: IdentifierTag>: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text, prefix included; ASCII, at most 31 characters.
    public let text: String

    /// Parses text; nil unless it has the prefix, an underscore and 26 base-32 digits that make 128 bits.
    public init?(_ text: String) {
        let bytes = text.utf8.span
        var place = 0
        for byte in Tag.prefix.utf8 {
            guard place < bytes.count, bytes[place] == byte else { return nil }
            place += 1
        }
        guard bytes.count == place + 27, bytes[place] == UInt8(ascii: "_"), bytes[place + 1] <= UInt8(ascii: "7") else {
            return nil
        }
        for place in (place + 1)..<bytes.count { guard Crockford.isDigit(bytes[place]) else { return nil } }
        self.text = text
    }

    /// Makes an identifier of 128 bits that name the same thing wherever it is found.
    package init(bits: UInt128) { self.init(uuid: UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits)) }

    init(uuid high: UInt64, _ low: UInt64) { text = Tag.prefix + "_" + Crockford.encode(high, low) }

    /// The text.
    public var description: String { text }

    /// Orders by text, which is the order of creation to the millisecond.
    public static func < (left: Identifier, right: Identifier) -> Bool { left.text < right.text }
}

/// Crockford's base 32, lower case: no i, l, o, u.
enum Crockford {
    static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Whether a byte is a digit.
    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "o"), UInt8(ascii: "u"): false
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    /// The 128 bits as 26 digits, most significant first.
    static func encode(_ high: UInt64, _ low: UInt64) -> String {
        let value = UInt128(high) << 64 | UInt128(low)
        return String(decoding: (0..<26).map { digits[Int(value >> (UInt128(25 - $0) * 5) & 31)] }, as: UTF8.self)
    }
}
