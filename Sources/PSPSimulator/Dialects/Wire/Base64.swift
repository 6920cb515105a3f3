/// Bytes in base 64 (RFC 4648 section 4), padded.
///
/// Written apart from what adapters use, so that the two check each other.
enum Base64 {
    /// The bytes of a text; nil unless it is whole groups of four digits with padding only at the end.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for digit in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 255))
        }
        let padding = text.utf8.drop { $0 != UInt8(ascii: "=") }
        guard text.utf8.count.isMultiple(of: 4), padding.count <= 2,
            padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        return bytes
    }

    /// The text of bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += [18, 12, 6, 0].prefix(group.count + 1).map { digits[bits >> $0 & 63] }
            text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
