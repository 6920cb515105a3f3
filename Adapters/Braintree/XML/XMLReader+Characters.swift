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
