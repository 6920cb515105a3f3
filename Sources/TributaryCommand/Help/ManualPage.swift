/// A manual page in roff's man macros: every command, with what it takes.
struct ManualPage {
    private let command: CommandPage
    private let version: String
    private let day: String

    /// Makes the page of a program.
    init(_ command: CommandPage, version: String, day: String) {
        self.command = command
        self.version = version
        self.day = day
    }

    /// The page, with a line break at its end.
    var text: String {
        let name = command.name
        let head = [
            ".TH \(Self.quoted(name.uppercased())) 1 \(Self.quoted(day)) \(Self.quoted("\(name) \(version)"))",
            ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(Self.withoutStop(command.abstract)))",
            ".SH SYNOPSIS", ".B \(Self.escaped(name))", "\\fICOMMAND\\fR [\\fIOPTION\\fR ...]",
            ".SH DESCRIPTION",
        ]
        let lines =
            head + Self.paragraphs(command.discussion) + Self.items(command.items) + [".SH COMMANDS"]
            + command.subcommands.flatMap { Self.lines(of: $0, below: [name]) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A section of a command, and behind it those of the commands below it.
    private static func lines(of command: CommandPage, below path: [String]) -> [String] {
        let path = path + [command.name]
        let head = [".SS \(quoted(path.joined(separator: " ")))", escaped(command.abstract)]
        return head + paragraphs(command.discussion).prepending(".PP") + items(command.items)
            + command.subcommands.flatMap { lines(of: $0, below: path) }
    }

    private static func items(_ items: [CommandPage.Item]) -> [String] {
        items.flatMap { item in
            let byDefault = item.byDefault.map { " (default: \($0))" } ?? ""
            return [".TP", "\\fB\(escaped(item.usage))\\fR", escaped(item.abstract + byDefault)].filter { !$0.isEmpty }
        }
    }

    /// Text, its paragraphs apart, what is indented as it stands.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = line.hasPrefix("  ")
            if isIndented != isExample { lines.append(isIndented ? ".nf" : ".fi") }
            isExample = isIndented
            lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
        }
        while lines.last == ".PP" { lines.removeLast() }
        if isExample { lines.append(".fi") }
        return lines == [""] ? [] : lines
    }

    private static func withoutStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// Text that roff prints as it is: a backslash, a hyphen, and at a line's beginning a point or an apostrophe mean more.
    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    /// Text as one argument of a macro.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\e").replacing("\"", with: "\\(dq") + "\""
    }
}

extension [String] {
    /// The lines behind another one; none if there are none.
    fileprivate func prepending(_ line: String) -> [String] { isEmpty ? [] : [line] + self }
}
