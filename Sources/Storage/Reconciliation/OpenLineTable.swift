import Domain
import SQL

/// The lines of files that count which no payment explains: kept apart, so that nobody has to go through all lines there
/// ever were to find them.
enum OpenLineTable {
    /// Takes in what nothing met of a file that comes to count.
    static func add(_ file: ImportedFile, in session: any Session) throws(SQLError) {
        guard file.account != nil, !PlantedBug.openLineForgotten.isPlanted else { return }
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
        // Commissions follow the payment that they name: those of none that was known, or that differ from what was known.
        try session.run(
            """
            INSERT INTO open_line (import_id, member, line, marketplace, psp_account)
            SELECT DISTINCT l.import_id, l.member, l.line, l.marketplace, b.psp_account FROM recon_break AS b
                JOIN settlement_line AS l ON l.import_id = b.import_id AND l.member = b.member AND l.line = b.line
            WHERE b.import_id = \(file.id) AND b.subject_id IS NULL AND b.psp_account IS NOT NULL
                AND b.type IN ('missing_in_ours', 'split_mismatch') AND l.kind = 'commission'
                AND NOT EXISTS (SELECT 1 FROM line_match AS m WHERE m.import_id = l.import_id AND m.member = l.member
                    AND m.line = l.line)
            """
        )
    }

    /// Takes in lines whose matches say nothing any more, and forgets those.
    static func reopen(_ lines: [ImportPlace], of marketplace: String, in session: any Session) throws(SQLError) {
        for line in lines {
            try session.run(
                """
                DELETE FROM line_match WHERE import_id = \(line.file) AND member = \(line.member) AND line = \(line.row)
                """
            )
            try session.run(
                """
                INSERT INTO open_line (import_id, member, line, marketplace, psp_account)
                SELECT id, \(line.member), \(line.row), marketplace, psp_account FROM import_file WHERE id = \(line.file)
                """
            )
        }
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

    /// Leaves out commissions that differ from what is expected: a break says by how much, and a later run, which expects
    /// that no more, would take all of them to differ.
    static func remove(_ lines: [ImportPlace], in session: any Session) throws(SQLError) {
        for line in lines {
            try session.run(
                "DELETE FROM open_line WHERE import_id = \(line.file) AND member = \(line.member) AND line = \(line.row)"
            )
        }
    }

    /// Leaves out a file that does not count any more.
    static func forget(_ file: ImportID, in session: any Session) throws(SQLError) {
        try session.run("DELETE FROM open_line WHERE import_id = \(file)")
    }
}
