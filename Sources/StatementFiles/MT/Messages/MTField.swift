/// A field of a message: `:86:` and its lines.
struct MTField {
    /// The longest field, in lines; SWIFT's longest has six.
    static let lineLimit = 200

    /// What stands between the colons: `60F`.
    let tag: String
    /// The line it begins in.
    let line: Int
    /// Its lines, the first without the tag.
    var lines: [[UInt8]]

    /// The first line without spaces around it.
    var first: ArraySlice<UInt8> { MTText.trimmed(lines.first?[...] ?? []) }

    /// Reads a line that begins with a tag; nil for one that does not.
    static func starting(_ bytes: ArraySlice<UInt8>, line: Int) -> MTField? {
        guard bytes.first == UInt8(ascii: ":") else { return nil }
        let tag = bytes.dropFirst().prefix(4).prefix { $0 != UInt8(ascii: ":") }
        guard (2...3).contains(tag.count), tag.allSatisfy({ isTagByte($0) }),
            bytes.dropFirst(tag.count + 1).first == UInt8(ascii: ":")
        else { return nil }
        return MTField(
            tag: String(decoding: tag, as: UTF8.self),
            line: line,
            lines: [Array(bytes.dropFirst(tag.count + 2))]
        )
    }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        Digits.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
