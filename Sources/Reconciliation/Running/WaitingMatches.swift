import SQL
import Storage

/// Matches that are about to be stored.
struct WaitingMatches: Sendable {
    var lines: [LineMatch] = []
    var batches: [BatchMatch] = []
    var entries: [BankMatch] = []

    var isEmpty: Bool { lines.isEmpty && batches.isEmpty && entries.isEmpty }

    /// Stores them.
    func add(of marketplace: String, in session: any Session) throws(SQLError) {
        if !lines.isEmpty { try MatchTable.add(lines, of: marketplace, in: session) }
        if !batches.isEmpty { try MatchTable.add(batches, of: marketplace, in: session) }
        if !entries.isEmpty { try MatchTable.add(entries, of: marketplace, in: session) }
    }
}
