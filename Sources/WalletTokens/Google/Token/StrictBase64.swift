/// Base64 as RFC 4648 section 4 writes it: the standard alphabet, padded, nothing else.
///
/// Each sequence of bytes has exactly one text, so that a changed text is never the same bytes.
enum StrictBase64 {
    /// The bytes; nil for no bytes, another alphabet, white space, wrong padding, or bits that belong to no byte.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 4) else { return nil }
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var bits: UInt32 = 0
        for (index, digit) in digits.dropLast(padding).enumerated() {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            guard index % 4 > 0 else { continue }
            let rest = UInt32(2 * (3 - index % 4))
            bytes.append(UInt8(truncatingIfNeeded: bits >> rest))
            bits &= (1 << rest) - 1
        }
        return bits == 0 ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
