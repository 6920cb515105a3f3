import Domain

/// Reads the part of XML 1.0 that Braintree's notifications are written in.
///
/// Elements, attributes, text, the five predefined entities and character references; an XML declaration in front.
/// Anything else is refused, first of all what makes XML dangerous: there is no DOCTYPE, so no entity that expands and
/// none that is fetched. Depth, count and size are bounded.
package struct XMLReader {
    /// The longest document, in bytes.
    package static let byteLimit = 262_144
    /// How deeply elements may be nested.
    package static let depthLimit = 16
    /// How many elements a document may have.
    package static let elementLimit = 4_096
    /// How many attributes an element may have.
    package static let attributeLimit = 8
    /// The longest name, in bytes.
    package static let nameLimit = 64

    var bytes: ArraySlice<UInt8>
    var count = 0

    /// Reads a document.
    ///
    /// - Returns: its root.
    /// - Throws: ``XMLRefusal`` for the first thing that is wrong.
    package static func read(_ document: [UInt8]) throws(XMLRefusal) -> XMLElement {
        guard document.count <= byteLimit else { throw .tooLarge }
        guard let text = String(validating: document, as: UTF8.self), text.unicodeScalars.allSatisfy(isAllowed) else {
            throw .invalidCharacter
        }
        var reader = XMLReader(bytes: document[...])
        try reader.skipDeclaration()
        reader.skipWhiteSpace()
        let root = try reader.element(depth: 1)
        reader.skipWhiteSpace()
        guard reader.bytes.isEmpty else { throw reader.startsForbidden ? .forbidden : .malformed }
        return root
    }

    /// XML 1.0's `Char`.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// `<?xml version="1.0" encoding="UTF-8"?>`; another encoding is refused, since the bytes are read as UTF-8.
    private mutating func skipDeclaration() throws(XMLRefusal) {
        guard bytes.starts(with: "<?xml ".utf8) else { return }
        bytes = bytes.dropFirst(5)
        let attributes = try self.attributes()
        guard take("?>") else { throw .malformed }
        guard attributes["version"] == "1.0", Set(attributes.keys).isSubset(of: ["version", "encoding", "standalone"]),
            (attributes["encoding"] ?? "UTF-8").uppercased() == "UTF-8"
        else { throw .forbidden }
    }

    private mutating func element(depth: Int) throws(XMLRefusal) -> XMLElement {
        guard !startsForbidden else { throw .forbidden }
        guard take("<") else { throw .malformed }
        guard depth <= Self.depthLimit else { throw .tooDeep }
        count += 1
        guard count <= Self.elementLimit else { throw .tooMany }
        let name = try self.name()
        let attributes = try self.attributes()
        if take("/>") { return XMLElement(name: name, attributes: attributes, text: "", children: []) }
        guard take(">") else { throw .malformed }
        let (text, children) = try content(depth: depth)
        guard take("</"), try self.name() == name else { throw .malformed }
        skipWhiteSpace()
        guard take(">") else { throw .malformed }
        return XMLElement(name: name, attributes: attributes, text: text, children: children)
    }

    /// Text, or elements with nothing but white space between them.
    private mutating func content(depth: Int) throws(XMLRefusal) -> (String, [XMLElement]) {
        var text: [UInt8] = []
        var children: [XMLElement] = []
        while let byte = bytes.first {
            if byte == UInt8(ascii: "<") {
                if bytes.starts(with: "</".utf8) { break }
                children.append(try element(depth: depth + 1))
            } else {
                try take(characterInto: &text)
            }
        }
        guard !children.isEmpty else { return (String(decoding: text, as: UTF8.self).withBoundedRuns, []) }
        guard text.allSatisfy(Self.isWhiteSpace) else { throw .malformed }
        return ("", children)
    }

    private mutating func attributes() throws(XMLRefusal) -> [String: String] {
        var attributes: [String: String] = [:]
        while let byte = bytes.first, Self.isWhiteSpace(byte) {
            skipWhiteSpace()
            guard let next = bytes.first, Self.isNameByte(next) else { break }
            let name = try self.name()
            guard attributes.count < Self.attributeLimit else { throw .tooMany }
            guard take("="), attributes.updateValue(try quoted(), forKey: name) == nil else { throw .malformed }
        }
        return attributes
    }

    private mutating func quoted() throws(XMLRefusal) -> String {
        guard let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .malformed
        }
        bytes = bytes.dropFirst()
        var text: [UInt8] = []
        while let byte = bytes.first, byte != quote {
            guard byte != UInt8(ascii: "<") else { throw .malformed }
            try take(characterInto: &text)
        }
        guard bytes.popFirst() == quote else { throw .malformed }
        return String(decoding: text, as: UTF8.self).withBoundedRuns
    }
}

/// Names, white space, and characters with their references.
extension XMLReader {
    /// Whether what comes next is a DOCTYPE, a comment, a CDATA section or a processing instruction.
    var startsForbidden: Bool { bytes.starts(with: "<!".utf8) || bytes.starts(with: "<?".utf8) }

    /// Takes the text off, if it comes next.
    mutating func take(_ text: StaticString) -> Bool {
        let wanted = Array("\(text)".utf8)
        guard bytes.starts(with: wanted) else { return false }
        bytes = bytes.dropFirst(wanted.count)
        return true
    }

    /// Takes white space off.
    mutating func skipWhiteSpace() { bytes = bytes.drop(while: Self.isWhiteSpace) }

    /// Takes a name off: a letter or `_`, then letters, digits, `_`, `-` and `.`.
    mutating func name() throws(XMLRefusal) -> String {
        let name = bytes.prefix(while: Self.isNameByte)
        guard let first = name.first, Self.isNameStart(first), name.count <= Self.nameLimit else { throw .malformed }
        bytes = bytes.dropFirst(name.count)
        return String(decoding: name, as: UTF8.self)
    }

    /// Takes one character, or a reference to one, off and adds it to the text.
    mutating func take(characterInto text: inout [UInt8]) throws(XMLRefusal) {
        guard let byte = bytes.popFirst() else { throw .malformed }
        guard byte == UInt8(ascii: "&") else {
            text.append(byte)
            return
        }
        let reference = bytes.prefix { $0 != UInt8(ascii: ";") }.prefix(9)
        bytes = bytes.dropFirst(reference.count)
        guard bytes.popFirst() == UInt8(ascii: ";") else { throw .malformed }
        text += try Self.character(String(decoding: reference, as: UTF8.self)).utf8
    }

    /// What stands between `&` and `;`.
    private static func character(_ reference: String) throws(XMLRefusal) -> String {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard reference.hasPrefix("#") else { throw .unknownEntity }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.hasPrefix("x")
        let number = isHexadecimal ? digits.dropFirst() : digits
        guard number.utf8.allSatisfy({ isHexadecimal ? isHexDigit($0) : isDigit($0) }),
            let value = UInt32(number, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value),
            isAllowed(scalar)
        else { throw .invalidCharacter }
        return String(Character(scalar))
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    static func isNameByte(_ byte: UInt8) -> Bool {
        isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return isDigit(byte) || lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f")
    }
}

/// An element of an XML document that holds either text or other elements.
package struct XMLElement: Hashable, Sendable {
    /// The name, letters, digits, `_`, `-` and `.`.
    package let name: String
    /// The attributes by name.
    package let attributes: [String: String]
    /// The text; empty where there are children.
    package let text: String
    /// The elements inside, in their order.
    package let children: [XMLElement]

    /// The only child of that name; nil if there is none or more than one.
    package subscript(name: String) -> XMLElement? {
        let found = children.filter { $0.name == name }
        return found.count == 1 ? found[0] : nil
    }

    /// The text of the only child of that name; nil if that is none, empty, has elements inside, or is marked
    /// `nil="true"`.
    package func value(_ name: String) -> String? {
        guard let child = self[name], child.children.isEmpty, child.attributes["nil"] != "true", !child.text.isEmpty
        else { return nil }
        return child.text
    }
}

/// Why bytes are not read as XML.
package enum XMLRefusal: Error, Hashable, Sendable {
    /// More bytes than ``XMLReader/byteLimit``.
    case tooLarge
    /// Elements nested deeper than ``XMLReader/depthLimit``.
    case tooDeep
    /// More elements than ``XMLReader/elementLimit``, or more attributes than ``XMLReader/attributeLimit`` on one.
    case tooMany
    /// Not UTF-8, or a character that XML does not allow.
    case invalidCharacter
    /// A DOCTYPE, a comment, a CDATA section, a processing instruction: nothing that a notification needs.
    case forbidden
    /// A reference to an entity that is not one of the five.
    case unknownEntity
    /// Not well formed, or text beside elements.
    case malformed
}
