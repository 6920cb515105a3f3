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
        let bytes = Array(text.utf8)
        let head = Array((Tag.prefix + "_").utf8)
        guard bytes.count == head.count + 26, bytes.starts(with: head),
            bytes.dropFirst(head.count).allSatisfy({ Crockford.digits.contains($0) }),
            bytes[head.count] <= UInt8(ascii: "7")
        else { return nil }
        self.text = text
    }

    init(uuid high: UInt64, _ low: UInt64) { text = Tag.prefix + "_" + Crockford.encode(high, low) }

    /// The text.
    public var description: String { text }

    /// Orders by text, which is the order of creation to the millisecond.
    public static func < (left: Identifier, right: Identifier) -> Bool { left.text < right.text }
}

/// Crockford's base 32, lower case: no i, l, o, u.
enum Crockford {
    static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The 128 bits as 26 digits, most significant first.
    static func encode(_ high: UInt64, _ low: UInt64) -> String {
        let value = UInt128(high) << 64 | UInt128(low)
        return String(decoding: (0..<26).map { digits[Int(value >> (UInt128(25 - $0) * 5) & 31)] }, as: UTF8.self)
    }
}
