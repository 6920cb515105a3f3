package import Domain
package import SQL

/// Rows of files that count, and that nothing explains yet: a later run goes through them again.
package enum UnmatchedTable {
    /// A line of an earlier file.
    package struct Line: Hashable, Sendable {
        /// The file's SHA-256.
        package let sha256: String
        /// The PSP account that the file is of.
        package let account: ImportedFile.Account
        /// Where it stands.
        package let place: ImportPlace
        /// The line.
        package let line: ImportedLine
    }

    /// An entry of an earlier bank statement.
    package struct BankEntry: Hashable, Sendable {
        /// The file's SHA-256.
        package let sha256: String
        /// Where it stands.
        package let place: ImportPlace
        /// The entry.
        package let entry: ImportedBankEntry
    }

    /// The lines of effects of a PSP account that no payment explains, behind `after`, at most `limit`.
    ///
    /// - Parameters:
    ///   - account: the PSP account.
    ///   - marketplace: the marketplace.
    ///   - after: the place of the last one of the page before.
    ///   - limit: how many.
    ///   - session: the transaction.
    /// - Returns: the lines by file, member and row.
    /// - Throws: `SQLError`.
    package static func lines(
        of account: String,
        marketplace: String,
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Line] {
        let rows = try session.rows(
            """
            SELECT f.sha256, f.psp, f.psp_account, l.* FROM settlement_line AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE f.marketplace = \(marketplace) AND f.psp_account = \(account) AND f.state = 'done'
                AND l.kind IN ('payment', 'refund', 'chargeback', 'chargeback_reversal') \(behind(after, "l"))
                AND NOT EXISTS (SELECT 1 FROM line_match AS m WHERE m.import_id = l.import_id
                    AND m.member = l.member AND m.line = l.line)
            ORDER BY l.import_id, l.member, l.line LIMIT \(limit)
            """
        )
        return try read(rows)
    }

    /// The payout lines of all PSP accounts that no bank entry explains, behind `after`, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func payouts(
        of marketplace: String,
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Line] {
        let rows = try session.rows(
            """
            SELECT f.sha256, f.psp, f.psp_account, l.* FROM settlement_line AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE l.marketplace = \(marketplace) AND l.kind = 'payout' AND f.state = 'done' \(behind(after, "l"))
                AND NOT EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS b ON b.id = m.bank_import
                    WHERE m.payout_import = l.import_id AND m.payout_member = l.member AND m.payout_line = l.line
                    AND b.state = 'done')
            ORDER BY l.import_id, l.member, l.line LIMIT \(limit)
            """
        )
        return try read(rows)
    }

    /// The bank entries that no payout explains, behind `after`, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func bankEntries(
        of marketplace: String,
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [BankEntry] {
        let rows = try session.rows(
            """
            SELECT f.sha256, l.* FROM bank_entry AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE f.marketplace = \(marketplace) AND f.state = 'done' \(behind(after, "l"))
                AND NOT EXISTS (SELECT 1 FROM bank_match AS m LEFT JOIN import_file AS p ON p.id = m.payout_import
                    WHERE m.bank_import = l.import_id AND m.bank_member = l.member AND m.bank_line = l.line
                    AND (p.state IS NULL OR p.state = 'done'))
            ORDER BY l.import_id, l.member, l.line LIMIT \(limit)
            """
        )
        var entries: [BankEntry] = []
        for row in rows {
            entries.append(
                BankEntry(
                    sha256: try row.text("sha256"),
                    place: try row.place(),
                    entry: try BankEntryTable.read(row)
                )
            )
        }
        return entries
    }

    /// The payouts to merchants that no bank entry explains, behind `after`, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func recordedPayouts(
        of marketplace: String,
        after: PayoutID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Payout] {
        try PayoutTable.payouts(
            """
            marketplace = \(marketplace) AND state = 'paid' AND id > \(after?.text ?? "")
                AND NOT EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS b ON b.id = m.bank_import
                    WHERE m.payout_id = payout.id AND b.state = 'done')
            ORDER BY id LIMIT \(limit)
            """,
            in: session
        )
    }

    private static func behind(_ place: ImportPlace?, _ table: String) -> SQL {
        guard let place else { return "" }
        return """
            AND (\(unsafeText: table).import_id, \(unsafeText: table).member, \(unsafeText: table).line)
                > (\(place.file), \(place.member), \(place.row))
            """
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Line] {
        var lines: [Line] = []
        for row in rows {
            lines.append(
                Line(
                    sha256: try row.text("sha256"),
                    account: ImportedFile.Account(psp: try row.text("psp"), name: try row.text("psp_account")),
                    place: try row.place(),
                    line: try SettlementLineTable.read(row)
                )
            )
        }
        return lines
    }
}
