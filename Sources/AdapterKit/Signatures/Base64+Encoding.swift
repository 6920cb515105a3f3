/// Writing base 64.
extension Base64 {
    /// The text of the bytes, padded, in one line.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                digits.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : padding)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
}
