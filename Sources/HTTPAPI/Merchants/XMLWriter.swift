/// Writes XML, element by element: names are ours, text may be anybody's.
struct XMLWriter {
    /// The document so far.
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Writes an element with others in it.
    mutating func element(
        _ name: StaticString,
        with attribute: (name: StaticString, value: String)? = nil,
        _ content: (inout XMLWriter) -> Void
    ) {
        open(name, attribute)
        content(&self)
        text += "</\(name)>\n"
    }

    /// Writes an element with text in it, at most `limit` characters of it.
    mutating func element(
        _ name: StaticString,
        with attribute: (name: StaticString, value: String)? = nil,
        _ content: String,
        limit: Int = 500
    ) {
        open(name, attribute)
        text += Self.escaped(content, limit: limit) + "</\(name)>\n"
    }

    private mutating func open(_ name: StaticString, _ attribute: (name: StaticString, value: String)?) {
        let attribute = attribute.map { " \($0.name)=\"\(Self.escaped($0.value, limit: 500))\"" } ?? ""
        text += "<\(name)\(attribute)>"
    }

    /// Text as an element or an attribute takes it.
    ///
    /// What XML 1.0 has no way to write (controls, U+FFFE and U+FFFF), and line breaks, are spaces.
    static func escaped(_ text: String, limit: Int) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&apos;".unicodeScalars)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped.append(" ")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
