/// A recursive descent over a buffer that is known to be UTF-8.
///
/// Runs of plain text are copied as a whole; paths are only written while a refusal unwinds.
struct JSONParser {
    let bytes: [UInt8]
    var index = 0
    private var depth = 0
    private let depthLimit: Int
    private let runs: CombiningRuns

    init(_ bytes: [UInt8], depthLimit: Int, runs: CombiningRuns) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.runs = runs
    }

    /// The byte at `index`; nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func refusal(_ reason: JSONRefusal.Reason) -> JSONRefusal { JSONRefusal(reason, at: index) }

    /// What is wrong when `next` is none of what may come here.
    func misplaced() -> JSONRefusal { refusal(next == nil ? .unexpectedEnd : .unexpectedCharacter) }

    mutating func document() throws(JSONRefusal) -> JSON {
        skipWhitespace()
        guard next != nil else { throw refusal(.empty) }
        let value = try value()
        skipWhitespace()
        guard next == nil else { throw refusal(.trailingContent) }
        return value
    }

    /// The text of a string that began at `start`, its runs of combining marks bounded.
    func bounded(_ text: String, from start: Int) throws(JSONRefusal) -> String {
        guard let text = runs.applied(to: text) else { throw JSONRefusal(.combiningRun, at: start) }
        return text
    }

    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONRefusal) -> JSON {
        guard let next else { throw misplaced() }
        return switch next {
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "{"): .object(try members())
        case UInt8(ascii: "["): .array(try elements())
        case UInt8(ascii: "t"): try literal("true", .bool(true))
        case UInt8(ascii: "f"): try literal("false", .bool(false))
        case UInt8(ascii: "n"): try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw misplaced()
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONRefusal) -> JSON {
        for byte in word.description.utf8 {
            guard next == byte else { throw misplaced() }
            index += 1
        }
        return value
    }

    private mutating func enter() throws(JSONRefusal) {
        depth += 1
        guard depth <= depthLimit else { throw refusal(.tooDeep) }
        index += 1
        skipWhitespace()
    }

    /// After a value: true if another follows, false if `closing` ended the container.
    private mutating func continues(until closing: UInt8) throws(JSONRefusal) -> Bool {
        skipWhitespace()
        guard next != closing else {
            index += 1
            depth -= 1
            return false
        }
        guard next == UInt8(ascii: ",") else { throw misplaced() }
        index += 1
        skipWhitespace()
        guard next != closing else { throw refusal(.trailingComma) }
        return true
    }

    private mutating func elements() throws(JSONRefusal) -> [JSON] {
        try enter()
        var elements: [JSON] = []
        guard next != UInt8(ascii: "]") else {
            index += 1
            depth -= 1
            return elements
        }
        repeat {
            do throws(JSONRefusal) {
                elements.append(try value())
            } catch {
                throw error.inside(elements.count)
            }
        } while try continues(until: UInt8(ascii: "]"))
        return elements
    }

    private mutating func members() throws(JSONRefusal) -> [JSON.Member] {
        try enter()
        var members: [JSON.Member] = []
        guard next != UInt8(ascii: "}") else {
            index += 1
            depth -= 1
            return members
        }
        var keys = KeySet()
        repeat {
            guard next == UInt8(ascii: "\"") else { throw misplaced() }
            let start = index
            let key = try string()
            guard keys.insert(key, among: members) else { throw JSONRefusal(.duplicateKey, at: start).inside(key) }
            skipWhitespace()
            guard next == UInt8(ascii: ":") else { throw misplaced() }
            index += 1
            skipWhitespace()
            do throws(JSONRefusal) {
                members.append(JSON.Member(key, try value()))
            } catch {
                throw error.inside(key)
            }
        } while try continues(until: UInt8(ascii: "}"))
        return members
    }
}

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

/// Numbers: `-? (0 | [1-9][0-9]*) (\.[0-9]+)? ([eE][+-]?[0-9]+)?`.
extension JSONParser {
    mutating func number() throws(JSONRefusal) -> JSON {
        let start = index
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let digits = try digits()
        guard digits.count == 1 || bytes[digits.lowerBound] != UInt8(ascii: "0") else {
            throw JSONRefusal(.malformedNumber, at: digits.lowerBound)
        }
        let hasFraction = try skipFraction()
        let hasExponent = try skipExponent()
        if !hasFraction, !hasExponent, let value = integer(digits, isNegative: isNegative) { return .integer(value) }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    /// Skips one digit or more and says where they are.
    private mutating func digits() throws(JSONRefusal) -> Range<Int> {
        let start = index
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
        guard index > start else { throw refusal(next == nil ? .unexpectedEnd : .malformedNumber) }
        return start..<index
    }

    private mutating func skipFraction() throws(JSONRefusal) -> Bool {
        guard next == UInt8(ascii: ".") else { return false }
        index += 1
        _ = try digits()
        return true
    }

    private mutating func skipExponent() throws(JSONRefusal) -> Bool {
        guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return false }
        index += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
        _ = try digits()
        return true
    }

    /// The digits as 64 bits; nil if they do not fit.
    private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for byte in bytes[digits] {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (scaled, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = scaled.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflowed, !overflowedAgain else { return nil }
            value = sum
        }
        return value
    }
}

/// The keys of an object being read, compared by their bytes.
///
/// Few keys are compared one by one; many go into a hash table.
struct KeySet {
    private static let linearLimit = 12
    private var hashed: Set<UTF8Text> = []

    /// Takes in a key that is about to join `members`; false if it is there already.
    mutating func insert(_ key: String, among members: [JSON.Member]) -> Bool {
        guard members.count >= Self.linearLimit else { return !members.contains { $0.isNamed(key) } }
        if hashed.isEmpty { hashed = Set(members.lazy.map { UTF8Text($0.key) }) }
        return hashed.insert(UTF8Text(key)).inserted
    }
}
