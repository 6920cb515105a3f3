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

/// Writes values into a buffer, compactly or indented.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let isIndented: Bool
    private var depth = 0

    init(isIndented: Bool) { self.isIndented = isIndented }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): write(text)
        case .array(let elements):
            enclose(elements, "[", "]") { writer, element in writer.write(element) }
        case .object(let members):
            enclose(members, "{", "}") { writer, member in
                writer.write(member.key)
                writer.bytes.append(UInt8(ascii: ":"))
                if writer.isIndented { writer.bytes.append(UInt8(ascii: " ")) }
                writer.write(member.value)
            }
        }
    }

    private mutating func enclose<Item>(
        _ items: [Item],
        _ opening: Unicode.Scalar,
        _ closing: Unicode.Scalar,
        _ write: (inout JSONWriter, Item) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        depth += 1
        for (position, item) in items.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            write(&self, item)
        }
        depth -= 1
        if !items.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: closing))
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if Self.mayNeedEscape(text) {
            for scalar in text.unicodeScalars { writeEscaping(scalar) }
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mayNeedEscape(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for place in bytes.indices where mayNeedEscape(bytes[place]) { return true }
        return false
    }

    /// Whether the byte is, or begins, a character that is escaped.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xD8, 0xE2: true
        default: false
        }
    }

    /// Whether JSON demands an escape, or the character is a control, a line separator or a mark of direction, which
    /// would steer whatever shows the document.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x22, 0x5C, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private mutating func writeEscaping(_ scalar: Unicode.Scalar) {
        guard Self.needsEscape(scalar) else {
            for byte in UTF8.encode(scalar) ?? .init() { bytes.append(byte) }
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch scalar.value {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x22, 0x5C: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        default:
            let digits = String(scalar.value, radix: 16)
            bytes += "u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
        }
    }
}

/// Text that is equal and hashed by its UTF-8 bytes, in time that grows with its length only.
///
/// Swift's own comparison is by canonical equivalence: it finds "é" written in two ways equal, as no database does.
package struct UTF8Text: Hashable, Sendable {
    /// The text.
    package let text: String

    /// Text to be compared by its bytes.
    package init(_ text: String) { self.text = text }

    /// Whether the bytes are the same.
    package static func == (one: UTF8Text, other: UTF8Text) -> Bool { same(one.text, other.text) }

    /// Whether two texts have the same bytes.
    package static func same(_ one: String, _ other: String) -> Bool {
        let (left, right) = (one.utf8.span, other.utf8.span)
        guard left.count == right.count else { return false }
        for place in left.indices where left[place] != right[place] { return false }
        return true
    }

    /// Feeds the bytes, eight at a time.
    package func hash(into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count.isMultiple(of: 8) { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
}
