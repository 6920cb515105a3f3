/// A Swift file taken apart: its code with comments and strings blanked, and its string literals.
struct SwiftSource: Sendable {
    /// A string literal, or the part of one between interpolations.
    struct Literal: Sendable {
        let line: Int
        let text: String
    }

    let path: String
    /// The text's lines.
    let lines: [String]
    /// The same lines with a space for every character of a comment or a string.
    let code: [String]
    let literals: [Literal]

    init(_ file: SourceTree.File) { self.init(path: file.path, text: file.text) }

    init(path: String, text: String) {
        var scanner = SwiftScanner(text)
        scanner.scan()
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = String(decoding: scanner.code, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        literals = scanner.literals
    }

    /// The target the file belongs to: `Domain`, `StripeAdapter`; nil outside sources and adapters.
    var target: String? {
        let parts = path.split(separator: "/")
        guard parts.count > 2 else { return nil }
        switch parts[0] {
        case "Sources": return String(parts[1] == "Tools" && parts.count > 3 ? parts[2] : parts[1])
        case "Adapters": return parts[1] + "Adapter"
        default: return nil
        }
    }

    /// A finding for each line of code that the test holds for.
    func findings(_ problem: String, where test: (_ code: String) -> Bool) -> [Finding] {
        code.enumerated().compactMap { index, line in
            test(line) ? Finding(path: path, line: index + 1, problem: problem) : nil
        }
    }
}
