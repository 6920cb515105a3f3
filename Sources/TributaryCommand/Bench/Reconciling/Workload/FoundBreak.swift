import Domain

/// What a break comes to where both ways of finding it have to agree: its type, and the row or operation it is about.
enum FoundBreak {
    /// A break of the engine's.
    static func text(_ found: Break) -> String {
        if let line = found.lines.first { return text(found.type, about: String(line.row)) }
        guard case .operation(let operation) = found.subject else { return text(found.type, about: found.key) }
        return text(found.type, about: operation.text)
    }

    /// A break by its type and what it is about.
    static func text(_ type: BreakType, about what: String) -> String { "\(type.rawValue) \(what)" }
}
