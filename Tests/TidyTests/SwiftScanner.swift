/// Tells code from comments and strings.
///
/// Interpolations are code; regular expression literals are not known.
struct SwiftScanner {
    private enum Context {
        case code(parentheses: Int)
        case string(hashes: Int, isMultiline: Bool, line: Int, text: [UInt8])
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var contexts: [Context] = [.code(parentheses: 0)]
    private(set) var code: [UInt8] = []
    private(set) var literals: [SwiftSource.Literal] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func scan() {
        while index < bytes.count {
            switch contexts.removeLast() {
            case .code(let parentheses): scanCode(parentheses)
            case .string(let hashes, let isMultiline, let start, let text):
                scanString(hashes: hashes, isMultiline: isMultiline, start: start, text: text)
            }
        }
    }

    private func starts(_ word: String, at offset: Int = 0) -> Bool {
        bytes[min(index + offset, bytes.count)...].starts(with: word.utf8)
    }

    /// Moves on by some bytes, copying them into the code or blanking them.
    private mutating func advance(_ count: Int = 1, asCode isCode: Bool) {
        for _ in 0..<count where index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") { line += 1 }
            code.append(isCode || byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
            index += 1
        }
    }

    private mutating func scanCode(_ parentheses: Int) {
        if starts("//") {
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { advance(asCode: false) }
            contexts.append(.code(parentheses: parentheses))
        } else if starts("/*") {
            skipBlockComment()
            contexts.append(.code(parentheses: parentheses))
        } else if let hashes = hashesBeforeQuote() {
            let isMultiline = starts("\"\"\"", at: hashes)
            contexts.append(.code(parentheses: parentheses))
            contexts.append(.string(hashes: hashes, isMultiline: isMultiline, line: line, text: []))
            advance(hashes + (isMultiline ? 3 : 1), asCode: false)
        } else {
            let byte = bytes[index]
            let depth = parentheses + (byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0)
            advance(asCode: true)
            // The parenthesis that closes an interpolation gives the string back its turn.
            if depth >= 0 || contexts.isEmpty { contexts.append(.code(parentheses: max(depth, 0))) }
        }
    }

    private func hashesBeforeQuote() -> Int? {
        let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        return starts("\"", at: hashes) ? hashes : nil
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts("/*") { depth += 1 } else if starts("*/") { depth -= 1 }
            advance(starts("/*") || starts("*/") ? 2 : 1, asCode: false)
        } while depth > 0 && index < bytes.count
    }

    private mutating func scanString(hashes: Int, isMultiline: Bool, start: Int, text: [UInt8]) {
        let mark = String(repeating: "#", count: hashes)
        let closing = (isMultiline ? "\"\"\"" : "\"") + mark
        let escape = "\\" + mark
        var text = text
        while index < bytes.count {
            if starts(closing) {
                advance(closing.utf8.count, asCode: false)
                break
            }
            if starts(escape + "(") {
                advance(escape.utf8.count, asCode: false)
                literals.append(.init(line: start, text: String(decoding: text, as: UTF8.self)))
                contexts.append(.string(hashes: hashes, isMultiline: isMultiline, line: line, text: []))
                contexts.append(.code(parentheses: -1))
                return
            }
            let isEscape = starts(escape)
            for _ in 0..<(isEscape ? escape.utf8.count + 1 : 1) where index < bytes.count {
                text.append(bytes[index])
                advance(asCode: false)
            }
        }
        literals.append(.init(line: start, text: String(decoding: text, as: UTF8.self)))
    }
}
