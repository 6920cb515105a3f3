/// Wrapping text for a terminal.
enum TextWrap {
    /// A text in lines of at most so many letters, broken at spaces; a longer word has a line of its own.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines
    }

    /// Help of the parser's, each paragraph in one line, in lines of a terminal: wrapped once, not twice.
    ///
    /// Lines of a discussion that were broken by hand are joined; what is indented stays a line of its own, and what is
    /// said of an option is wrapped behind its name.
    static func help(_ text: String, width: Int) -> String {
        joined(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)).flatMap {
            line -> [String] in
            guard line.count > width else { return [line] }
            let indent = indent(of: line)
            guard indent + 20 <= width else { return [line] }
            let head = line.prefix(indent)
            let rest = lines(String(line.dropFirst(indent)), width: width - indent)
            return rest.enumerated().map { $0 == 0 ? head + $1 : String(repeating: " ", count: indent) + $1 }
        }.joined(separator: "\n")
    }

    /// A line of a hand-broken paragraph has at least so many letters, or is its last.
    private static let handBroken = 80

    private static func joined(_ lines: [String]) -> [String] {
        var result: [String] = []
        var mayGoOn = false
        for line in lines {
            let isText = !line.isEmpty && !line.hasPrefix(" ")
            if mayGoOn, isText { result[result.count - 1] += " " + line } else { result.append(line) }
            mayGoOn = isText && line.count >= handBroken
        }
        return result
    }

    /// Where the text of a line begins: behind its spaces, and behind an option's name and the space after it.
    private static func indent(of line: String) -> Int {
        let spaces = line.prefix { $0 == " " }.count
        guard spaces == 2, let gap = line.dropFirst(2).firstRange(of: "  ") else { return spaces }
        let space = line[gap.lowerBound...].prefix { $0 == " " }.count
        return line.distance(from: line.startIndex, to: gap.lowerBound) + space
    }
}
