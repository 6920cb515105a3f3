/// Strings: plain runs are copied whole, escapes are decoded into a buffer.
extension JSONParser {
    /// Reads a string; `index` is at its opening quote.
    mutating func string() throws(JSONRefusal) -> String {
        index += 1
        let start = index
        try skipPlainRun()
        guard next == UInt8(ascii: "\\") else {
            index += 1
            return try bounded(String(decoding: bytes[start..<index - 1], as: UTF8.self), from: start - 1)
        }
        var buffer = Array(bytes[start..<index])
        while next == UInt8(ascii: "\\") {
            try appendEscape(to: &buffer)
            let run = index
            try skipPlainRun()
            buffer += bytes[run..<index]
        }
        index += 1
        return try bounded(String(decoding: buffer, as: UTF8.self), from: start - 1)
    }

    /// Moves to the next quote or backslash.
    private mutating func skipPlainRun() throws(JSONRefusal) {
        var here = index
        while here < bytes.count {
            let byte = bytes[here]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            here += 1
        }
        index = here
        guard let byte = next else { throw refusal(.unexpectedEnd) }
        guard byte >= 0x20 else { throw refusal(.controlCharacter) }
    }

    private mutating func appendEscape(to buffer: inout [UInt8]) throws(JSONRefusal) {
        let start = index
        index += 1
        let letter = next
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): if let letter { buffer.append(letter) }
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer += String(Character(try scalar(escapedAt: start))).utf8
        case nil: throw JSONRefusal(.unexpectedEnd, at: start + 1)
        default: throw JSONRefusal(.malformedEscape, at: start)
        }
    }

    /// The scalar of one `\uXXXX`, or of two that make a surrogate pair; `index` is behind the first `u`.
    private mutating func scalar(escapedAt start: Int) throws(JSONRefusal) -> Unicode.Scalar {
        let unit = try hexadecimal(escapedAt: start)
        guard unit != 0 else { throw JSONRefusal(.nul, at: start) }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit <= 0xDBFF, next == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONRefusal(.loneSurrogate, at: start) }
        let second = index
        index += 2
        let low = try hexadecimal(escapedAt: second)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x1_0000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw JSONRefusal(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func hexadecimal(escapedAt start: Int) throws(JSONRefusal) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw refusal(.unexpectedEnd) }
            guard let digit = Self.hexadecimalDigit(byte) else { throw JSONRefusal(.malformedEscape, at: start) }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
