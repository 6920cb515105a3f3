/// Bytes in base 64 (RFC 4648 section 4), padded.
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes of a text; nil unless it is whole groups of four digits, padding only at the end, with no bit left
    /// over, so that a changed text is never the same bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4) else { return nil }
        let padding = padding(digits)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var bits: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            let isPadding = index >= digits.count - padding
            guard let value = isPadding ? 0 : value(digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        }
        guard bytes.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
        return Array(bytes.dropLast(padding))
    }

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
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let given = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let bits = given << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * place) & 63)]
                text.append(place <= group.count ? digit : UInt8(ascii: "="))
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
