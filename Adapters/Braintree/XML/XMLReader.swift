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
