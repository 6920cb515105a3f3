/// An element of an XML document, as far as webhooks need it.
struct XMLElement: Hashable, Sendable {
    private let name: String
    private let type: String?
    private let text: String?
    private let children: [XMLElement]

    /// An element with text.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - text: its text; nil is written as `nil="true"`.
    ///   - type: what the text is, if it is not just text: `datetime`, `date`, `boolean`.
    init(_ name: String, _ text: String?, type: String? = nil) {
        self.name = name
        self.text = text
        self.type = type
        children = []
    }

    /// An element with others inside it.
    init(_ name: String, _ children: [XMLElement], type: String? = nil) {
        self.name = name
        self.children = children
        self.type = type
        text = ""
    }

    /// The element on lines of its own.
    func lines(indent: String = "") -> String {
        let kind = type.map { " type=\"\($0)\"" } ?? ""
        guard let text else { return "\(indent)<\(name)\(kind) nil=\"true\"/>\n" }
        guard !children.isEmpty else { return "\(indent)<\(name)\(kind)>\(Self.escaped(text))</\(name)>\n" }
        let inner = children.map { $0.lines(indent: indent + "  ") }.joined()
        return "\(indent)<\(name)\(kind)>\n\(inner)\(indent)</\(name)>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&apos;"
            default: String(character)
            }
        }.joined()
    }
}
