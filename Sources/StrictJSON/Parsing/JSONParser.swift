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
