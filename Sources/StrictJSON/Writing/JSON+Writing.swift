/// Writing a document: keys in the order given, the escapes that JSON demands, and of what steers a terminal.
extension JSON {
    /// The document in UTF-8 without white space.
    package var bytes: [UInt8] {
        var writer = JSONWriter(isIndented: false)
        writer.write(self)
        return writer.bytes
    }

    /// The document as text without white space.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The document for people: two spaces a level, one member or element a line, no line break at the end.
    package var prettyText: String {
        var writer = JSONWriter(isIndented: true)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
