/// Telling DER from other BER (X.690, 10.1).
enum DEREncoding {
    /// How many elements may be nested.
    private static let depthLimit = 16

    /// Whether the bytes are one element whose lengths, and those of all elements in it, are definite and shortest.
    static func isMinimal(_ bytes: [UInt8]) -> Bool {
        end(of: bytes, at: 0, before: bytes.count, depth: 0) == bytes.count
    }

    /// Where the element at `start` ends; nil if a length is not in DER.
    private static func end(of bytes: [UInt8], at start: Int, before limit: Int, depth: Int) -> Int? {
        guard depth < depthLimit, limit - start >= 2 else { return nil }
        let first = Int(bytes[start + 1])
        let octets = first < 0x80 ? 0 : first - 0x80
        let content = start + 2 + octets
        guard first != 0x80, octets <= 3, content <= limit else { return nil }
        let count = octets == 0 ? first : bytes[start + 2..<content].reduce(0) { $0 << 8 | Int($1) }
        let isShortest = octets == 0 || (count >= 0x80 && bytes[start + 2] != 0)
        guard isShortest, count <= limit - content else { return nil }
        let end = content + count
        guard bytes[start] & 0x20 != 0 else { return end }
        var next = content
        while next < end {
            guard let after = self.end(of: bytes, at: next, before: end, depth: depth + 1) else { return nil }
            next = after
        }
        return end
    }
}
