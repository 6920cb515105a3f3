/// Bytes as pairs of hexadecimal digits.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes of a text; nil unless it is pairs of digits, in either case.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The bytes as lower-case digits.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        append(Array(bytes), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the bytes as lower-case digits in ASCII.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }

    /// The value of a digit in either case; nil if it is none.
    @inlinable
    public static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
