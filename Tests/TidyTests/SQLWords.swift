/// Recognizes SQL in text by its capitals: ours is written so, and English seldom is.
enum SQLWords {
    /// Beginnings that only a statement about a table of ours has.
    private static let statements: [[Substring]] = [
        ["INSERT", "INTO"], ["DELETE", "FROM"], ["CREATE", "TABLE"], ["CREATE", "INDEX"], ["CREATE", "UNIQUE"],
        ["CREATE", "VIEW"], ["ALTER", "TABLE"], ["DROP", "TABLE"], ["DROP", "INDEX"], ["ON", "CONFLICT"],
    ]

    /// What an engine's own housekeeping may say too.
    private static let queries: [[Substring]] = [
        ["SELECT"], ["PRAGMA"], ["SAVEPOINT"], ["RETURNING"], ["FOR", "UPDATE"], ["ORDER", "BY"], ["GROUP", "BY"],
        ["BEGIN", "IMMEDIATE"], ["BEGIN", "ISOLATION"],
    ]

    /// Whether the text has SQL; without `countingQueries`, only SQL that changes tables or their rows.
    static func occur(in text: String, countingQueries: Bool) -> Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        let patterns = countingQueries ? statements + queries : statements
        return words.indices.contains { start in
            patterns.contains { words[start...].starts(with: $0) }
                || words[start] == "UPDATE" && words[start...].dropFirst(2).first == "SET"
        }
    }
}
