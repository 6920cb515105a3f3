package import Domain

/// An identifier of ours in the 20 letters and digits that `refId` and `invoiceNumber` hold.
///
/// Nothing is lost of an identifier as the gateway makes them: of UUIDv7's 128 bits (RFC 9562) six are fixed and the
/// first four of the time are zero until the year 2527. What is left, and a bit that tells operations from attempts,
/// makes 119 bits or 20 digits of base 62. An identifier that is no UUIDv7 keeps its last 19 digits behind a `z`, which
/// no other short name starts with; it cannot be read back.
///
/// Lengths: Authorize.Net's schema; letters and digits only: its reference of `invoiceNumber` ("no symbols").
package struct ShortName: Hashable, Sendable, CustomStringConvertible {
    /// The 20 characters.
    package let text: String

    /// The name of an attempt.
    package init(_ attempt: AttemptID) { text = Self.text(of: attempt.text, isOperation: false) }

    /// The name of an operation.
    package init(_ operation: OperationID) { text = Self.text(of: operation.text, isOperation: true) }

    /// The text.
    package var description: String { text }

    /// The attempt of that name; nil if it is the name of none.
    package static func attempt(_ text: String) -> AttemptID? {
        identifier(text, isOperation: false).flatMap { AttemptID("att_\($0)") }
    }

    /// The operation of that name; nil if it is the name of none.
    package static func operation(_ text: String) -> OperationID? {
        identifier(text, isOperation: true).flatMap { OperationID("op_\($0)") }
    }

    /// When an identifier was made, to the millisecond: the first 48 bits of a UUIDv7.
    static func moment(of identifier: String) -> Timestamp {
        let milliseconds = Int64(truncatingIfNeeded: value(of: identifier) >> 80)
        return Timestamp(microseconds: milliseconds * 1000)
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let crockford = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let length = 20
    /// Version 7 in bits 76 to 79, variant 2 in bits 62 and 63.
    private static let fixedBits: UInt128 = 7 << 76 | 2 << 62
    private static let fixedMask: UInt128 = 15 << 76 | 3 << 62

    private static func text(of identifier: String, isOperation: Bool) -> String {
        let value = value(of: identifier)
        guard value & fixedMask == fixedBits, value >> 124 == 0 else { return "z" + identifier.suffix(length - 1) }
        let time = value >> 80
        let counter = value >> 64 & 0xFFF
        let random = value & (1 << 62 - 1)
        let flag: UInt128 = isOperation ? 1 << 118 : 0
        return base62(flag | time << 74 | counter << 62 | random)
    }

    /// The 26 digits behind the prefix of an identifier.
    private static func identifier(_ text: String, isOperation: Bool) -> Substring? {
        guard let packed = packed(text), (packed >> 118 == 1) == isOperation else { return nil }
        let time = packed >> 74 & (1 << 44 - 1)
        let counter = packed >> 62 & 0xFFF
        let random = packed & (1 << 62 - 1)
        let value = time << 80 | counter << 64 | random | fixedBits
        let digits = (0..<26).map { crockford[Int(value >> (UInt128(25 - $0) * 5) & 31)] }
        return String(decoding: digits, as: UTF8.self)[...]
    }

    private static func value(of identifier: String) -> UInt128 {
        identifier.utf8.suffix(26).reduce(0) { $0 << 5 | UInt128(crockford.firstIndex(of: $1) ?? 0) }
    }

    private static func base62(_ value: UInt128) -> String {
        var rest = value
        var text: [UInt8] = []
        for _ in 0..<length {
            text.append(digits[Int(rest % 62)])
            rest /= 62
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    private static func packed(_ text: String) -> UInt128? {
        guard text.utf8.count == length else { return nil }
        var value: UInt128 = 0
        for byte in text.utf8 {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            value = value * 62 + UInt128(digit)
        }
        return value >> 119 == 0 ? value : nil
    }
}
