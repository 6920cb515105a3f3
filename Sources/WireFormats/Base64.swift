/// Bytes in base 64 (RFC 4648 section 4), padded.
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes of a text; nil unless it is whole groups of four digits, padding only at the end, with no bit left
    /// over, so that a changed text is never the same bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(digits: Array(text.utf8)) }

    /// The bytes of a text, as ``decode(_:)``; nil for no bytes as well.
    public static func decode(nonempty text: some StringProtocol) -> [UInt8]? {
        text.isEmpty ? nil : decode(text)
    }

    /// Whether the text is whole groups of four digits, padding only at the end; bits left over are passed over.
    public static func isWellFormed(_ text: some StringProtocol) -> Bool {
        let digits = Array(text.utf8)
        return digits.count.isMultiple(of: 4) && digits.dropLast(padding(digits)).allSatisfy { value($0) != nil }
    }

    /// The bytes as padded text.
    public static func encode(_ bytes: some Collection<UInt8>) -> String { encode(array: Array(bytes)) }

    private static func decode(digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 4) else { return nil }
        let padding = padding(digits)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var bits: UInt32 = 0
        for index in digits.indices {
            guard let value = index >= digits.count - padding ? 0 : value(digits[index]) else { return nil }
            bits = bits << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
        }
        guard bytes.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
        bytes.removeLast(padding)
        return bytes
    }

    private static func encode(array bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? digits[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func padding(_ digits: [UInt8]) -> Int {
        digits.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
