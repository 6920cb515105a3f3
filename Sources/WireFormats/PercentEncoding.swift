/// Percent-encoding of paths, queries and forms (RFC 3986 section 2.1).
public enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text with everything but RFC 3986's unreserved characters encoded, for a field, a query or one segment of a
    /// path.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes that are meant; nil for a broken escape.
    ///
    /// In forms, though not in paths, `+` stands for a space.
    public static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(Hexadecimal.value),
                    let low = rest.next().flatMap(Hexadecimal.value)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
