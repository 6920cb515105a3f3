/// The statements that a connection has prepared, by text, with a bound.
struct PreparedStatements {
    /// One prepared statement, whose columns are learned from its first answer.
    final class Entry {
        let name: String
        fileprivate var lastUse: UInt64
        var columns: AnswerColumns?

        fileprivate init(name: String, lastUse: UInt64) {
            self.name = name
            self.lastUse = lastUse
        }
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    /// Names that the server still holds and nobody uses.
    private(set) var retired: [String] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// The entry for a text, and whether it has yet to be prepared on the server.
    mutating func entry(for text: String) -> (entry: Entry, isNew: Bool) {
        uses += 1
        if let known = entries[text] {
            known.lastUse = uses
            return (known, false)
        }
        if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            retired.append(oldest.value.name)
        }
        let entry = Entry(name: "s\(uses)", lastUse: uses)
        entries[text] = entry
        return (entry, true)
    }

    /// Forgets an entry whose preparation failed or was skipped; the server does not know its name.
    mutating func forget(_ text: String, _ entry: Entry) {
        if entries[text] === entry { entries[text] = nil }
        released(entry.name)
    }

    /// The server does not hold a retired name any more.
    mutating func released(_ name: String) {
        retired.removeAll { $0 == name }
    }
}
