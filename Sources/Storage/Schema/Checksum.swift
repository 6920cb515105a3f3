/// A checksum of a migration's text, to notice a change, not to withstand one made on purpose.
enum Checksum {
    /// FNV-1a, 64 bit, in hexadecimal.
    static func of(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
