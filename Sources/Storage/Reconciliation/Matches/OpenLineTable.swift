import Domain
import SQL

/// The lines of files that count which no payment explains: kept apart, so that nobody has to go through all lines there
/// ever were to find them.
enum OpenLineTable {
    /// Takes in what nothing met of a file that comes to count.
    static func add(_ file: ImportedFile, in session: any Session) throws(SQLError) {
        guard file.account != nil else { return }
        try session.run(
            """
            INSERT INTO open_line (import_id, member, line, marketplace, psp_account)
            SELECT l.import_id, l.member, l.line, l.marketplace, f.psp_account FROM settlement_line AS l
                JOIN import_file AS f ON f.id = l.import_id
            WHERE l.import_id = \(file.id) AND l.kind IN ('payment', 'refund', 'chargeback', 'chargeback_reversal')
                AND NOT EXISTS (SELECT 1 FROM line_match AS m WHERE m.import_id = l.import_id AND m.member = l.member
                    AND m.line = l.line)
            """
        )
    }

    /// Leaves out what a payment explains now.
    static func removeMatched(of marketplace: String, in session: any Session) throws(SQLError) {
        try session.run(
            """
            DELETE FROM open_line WHERE marketplace = \(marketplace) AND EXISTS (SELECT 1 FROM line_match AS m
                WHERE m.import_id = open_line.import_id AND m.member = open_line.member AND m.line = open_line.line)
            """
        )
    }

    /// Leaves out a file that does not count any more.
    static func forget(_ file: ImportID, in session: any Session) throws(SQLError) {
        try session.run("DELETE FROM open_line WHERE import_id = \(file)")
    }
}
