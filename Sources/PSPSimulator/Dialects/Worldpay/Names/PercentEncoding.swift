/// A segment of a path, or a part of a query, as RFC 3986 writes it.
enum PercentEncoding {
    /// The segment with everything escaped but what RFC 3986 calls unreserved.
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
            guard !isPlain, !"-._~".unicodeScalars.contains(scalar) else { return String(Character(scalar)) }
            return "%" + Hexadecimal.encode([byte]).uppercased()
        }.joined()
    }

    /// The text of a segment; nil if an escape is broken or the text is not UTF-8.
    static func decode(_ segment: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard rest.count >= 2, let escaped = Hexadecimal.decode(digits) else { return nil }
            bytes += escaped
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
