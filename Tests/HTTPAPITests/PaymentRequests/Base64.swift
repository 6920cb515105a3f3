/// Reads base 64 by its definition, to check what was written by a table.
enum Base64 {
    /// The text behind base 64; nil for anything else.
    static func decoded(_ text: String) -> String? {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let values = text.prefix { $0 != "=" }.compactMap { alphabet.firstIndex(of: $0) }
            .map { alphabet.distance(from: alphabet.startIndex, to: $0) }
        guard text.count.isMultiple(of: 4), values.count == text.prefix(while: { $0 != "=" }).count else { return nil }
        let bits = values.flatMap { value in (0..<6).reversed().map { value >> $0 & 1 } }
        let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
