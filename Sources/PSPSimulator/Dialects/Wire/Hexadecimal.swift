/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
    /// The bytes of a text; nil unless it is pairs of digits, in either case.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    /// The bytes as lower-case digits.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
