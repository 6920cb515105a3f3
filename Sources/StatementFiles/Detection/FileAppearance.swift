/// Says what a file that is in no known format looks like.
enum FileAppearance {
    private static let signatures: [(name: String, bytes: [UInt8])] = [
        ("a gzip file inside an archive", [0x1F, 0x8B]), ("a zip archive inside an archive", [0x50, 0x4B, 0x03, 0x04]),
        ("a bzip2 file", Array("BZh".utf8)), ("an xz file", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ("a Zstandard file", [0x28, 0xB5, 0x2F, 0xFD]), ("a 7-Zip archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ("a RAR archive", Array("Rar!".utf8)), ("a PDF document", Array("%PDF".utf8)),
        ("an Excel or Word document", [0xD0, 0xCF, 0x11, 0xE0]), ("a PGP message", Array("-----BEGIN PGP".utf8)),
    ]

    /// What the first bytes of a file look like, in words of ours; of the file only names of XML elements are repeated.
    static func describe(_ head: [UInt8]) -> String {
        if head.isEmpty { return "an empty file" }
        for signature in signatures where head.starts(with: signature.bytes) { return signature.name }
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) { return "a tar archive" }
        let text = head.filter { $0 != 0 }
        if startsLikeXML(text) { return xml(text) }
        if let first = withoutMark(text).first(where: { !isSpace($0) }) {
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                return text.firstRange(of: Array("{1:".utf8)) == nil
                    ? "JSON" : "a SWIFT message that is no MT940 or MT942"
            }
            if first == UInt8(ascii: ":") { return "a part of a SWIFT message" }
        }
        if head.contains(where: { $0 < 0x20 && !isSpace($0) }) { return "a file that is no text" }
        return table(head)
    }

    /// Whether the text begins as XML does.
    static func startsLikeXML(_ text: [UInt8]) -> Bool {
        withoutMark(text).first { !isSpace($0) } == UInt8(ascii: "<")
    }

    private static func xml(_ text: [UInt8]) -> String {
        var rest = text[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let name = rest[(start + 1)...].prefix { isNameByte($0) }
            if !name.isEmpty { return "XML whose first element is \(String(decoding: name.prefix(60), as: UTF8.self))" }
            rest = rest[(start + 1)...]
        }
        return "XML without an element"
    }

    private static func table(_ head: [UInt8]) -> String {
        let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
        let counts: [(name: String, byte: UInt8)] = [
            ("commas", UInt8(ascii: ",")), ("semicolons", UInt8(ascii: ";")), ("tabs", UInt8(ascii: "\t")),
            ("vertical bars", UInt8(ascii: "|")),
        ]
        let best = counts.map { separator in (separator.name, line.count { $0 == separator.byte }) }.max { $0.1 < $1.1 }
        guard let best, best.1 > 0 else { return "text" }
        return "a table of \(best.1 + 1) columns separated by \(best.0)"
    }

    private static func withoutMark(_ text: [UInt8]) -> ArraySlice<UInt8> {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        for mark in marks where text.starts(with: mark) { return text.dropFirst(mark.count) }
        return text[...]
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        Digits.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            || [UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
