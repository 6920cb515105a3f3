/// The simulator's documentation, so that a page that shows it can be compared with the code.
extension TriggerTable {
    /// A Markdown table of every trigger: word, operations, meaning.
    package static var markdown: String {
        let rows = triggers.map { trigger in
            let operations = trigger.operations.map(\.rawValue).joined(separator: ", ")
            let number = trigger.defaultMilliseconds.map { " N is \($0) if left out." } ?? ""
            return "| `\(trigger.pattern)` | \(operations) | \(trigger.meaning)\(number) |"
        }
        return (["| trigger | operations | what happens |", "|---|---|---|"] + rows).joined(separator: "\n")
    }
}
