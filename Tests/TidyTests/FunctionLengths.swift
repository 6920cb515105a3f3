/// Finds functions and how many lines they have, from the line of the keyword to the closing brace.
enum FunctionLengths {
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "open", "static", "class", "final", "override",
        "mutating", "nonmutating", "nonisolated", "required", "convenience", "prefix", "postfix", "consuming",
        "borrowing", "isolated", "indirect", "nonisolated(unsafe)", "nonisolated(nonsending)",
    ]

    /// The functions of a file: the first line, from 1, and the number of lines.
    static func all(in source: SwiftSource) -> [(line: Int, length: Int)] {
        source.code.indices.compactMap { index in
            guard isDeclaration(source.code[index]), let end = end(of: index, in: source.code) else { return nil }
            return (index + 1, end - index + 1)
        }
    }

    private static func isDeclaration(_ line: String) -> Bool {
        let words = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
        guard let word = words.first else { return false }
        return word == "func" || word == "deinit" || word == "subscript"
            || ["init(", "init?(", "init<", "subscript("].contains { word.hasPrefix($0) }
    }

    /// The index of the line with the body's closing brace; nil for a requirement without a body.
    private static func end(of start: Int, in code: [String]) -> Int? {
        var parentheses = 0
        var braces = 0
        for index in start..<code.count {
            if index > start, parentheses == 0, braces == 0, !continues(code[index]) { return nil }
            for byte in code[index].utf8 {
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
                case UInt8(ascii: "{") where parentheses == 0 || braces > 0: braces += 1
                case UInt8(ascii: "}") where braces > 0:
                    braces -= 1
                    if braces == 0 { return index }
                default: break
                }
            }
        }
        return nil
    }

    /// Whether a line goes on with the declaration above it.
    private static func continues(_ line: String) -> Bool {
        guard let word = line.split(separator: " ").first else { return false }
        return ["{", ")", "->", "where", "throws", "async", "rethrows"].contains { word.hasPrefix($0) }
    }
}
