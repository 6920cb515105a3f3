import Foundation
import SQL
import TributaryTestKit

/// Looking at the database behind the program's back.
extension ReconcilingPlace {
    /// How many rows everything that reconciliation writes has, and the journal.
    func stored() async throws -> [String: Int64] {
        let tables = [
            "import_file", "settlement_line", "bank_entry", "line_match", "batch_match", "bank_match", "recon_break",
            "break_action", "journal_entry", "posting",
        ]
        return try await location.withOpen { database in
            try await database.read { session in
                var counts: [String: Int64] = [:]
                for table in tables {
                    let rows = try session.rows("SELECT COUNT(*) AS count FROM \(unsafeText: table)")
                    counts[table] = try rows.first?.integer("count")
                }
                return counts
            }
        }
    }

    /// Changes rows as no command does.
    func change(_ statement: SQL, ofJournal: Bool = false) async throws -> Int {
        try await location.withOpen { database in
            try await database.write { session in
                if ofJournal { try session.letJournalBeChanged() }
                return try session.change(statement)
            }
        }
    }

    /// Runs the program through a shell, which sends its output where the words behind it say.
    func shell(_ arguments: [String], _ redirection: String) async throws -> Finished {
        let program = try BuiltProgram.tributary.url().path
        let words = ([program] + arguments).map { "'\($0)'" } + [redirection]
        let running = try work.start("/bin/sh", ["-c", words.joined(separator: " ")])
        return try await Finished(running, within: .patience)
    }
}
