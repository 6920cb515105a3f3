package import Domain
package import SQL

/// Rows of files that count, and that nothing explains yet: a later run goes through them again.
///
/// Files that are about to be superseded explain nothing any more: `releasing` names them. Their own rows are none.
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
    ///   - releasing: files that are about to be superseded.
    ///   - after: the place of the last one of the page before.
    ///   - limit: how many.
    ///   - session: the transaction.
    /// - Returns: the lines by file, member and row.
    /// - Throws: `SQLError`.
    package static func lines(
        of account: String,
        marketplace: String,
        releasing: Set<ImportID> = [],
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Line] {
        let rows = try session.rows(
            """
            SELECT f.sha256, f.psp, f.psp_account, l.* FROM open_line AS o
                JOIN settlement_line AS l ON l.import_id = o.import_id AND l.member = o.member AND l.line = o.line
                JOIN import_file AS f ON f.id = o.import_id
            WHERE o.marketplace = \(marketplace) AND o.psp_account = \(account) AND \(counts("f", releasing))
                \(behind(after, "o"))
            ORDER BY o.import_id, o.member, o.line LIMIT \(limit)
            """
        )
        return try read(rows)
    }

    /// The lines of a PSP account whose match says nothing any more, behind `after`, at most `limit`: what they confirmed turned
    /// out to be another operation's, such as a capture that a refund had implied until captures were told that explain it;
    /// and, since commissions are compared by the payment, what else its file has of that.
    ///
    /// - Parameters:
    ///   - account: the PSP account.
    ///   - marketplace: the marketplace.
    ///   - end: when effects that are expected end: of attempts that have one then or later there is no line.
    ///   - releasing: files that are about to be superseded.
    ///   - limit: how many.
    ///   - session: the transaction.
    /// - Returns: the lines by file, member and row.
    /// - Throws: `SQLError`.
    package static func reopened(
        of account: String,
        marketplace: String,
        before end: Timestamp,
        releasing: Set<ImportID> = [],
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Line] {
        try read(session.rows(reopened(of: account, marketplace: marketplace, before: end, releasing, limit: limit)))
    }

    /// The question behind ``reopened(of:marketplace:before:releasing:limit:in:)``.
    package static func reopened(
        of account: String,
        marketplace: String,
        before end: Timestamp,
        _ releasing: Set<ImportID> = [],
        limit: Int
    ) -> SQL {
        """
        SELECT f.sha256, f.psp, f.psp_account, l.* FROM
            (SELECT DISTINCT m.import_id, m.member, m.line, m.subject_id IS NULL AS is_aside FROM effect AS e
                JOIN line_match AS w ON w.subject_id = e.operation_id AND w.subject_kind = 'operation'
                JOIN line_match AS m ON m.order_id = w.order_id AND m.import_id = w.import_id
                    AND m.attempt_id = w.attempt_id AND (m.subject_id IS NULL OR m.subject_kind = 'operation')
                WHERE e.marketplace = \(marketplace) AND e.psp_account = \(account) AND e.state = 'withdrawn'
                    AND NOT EXISTS (SELECT 1 FROM effect AS n WHERE n.marketplace = e.marketplace
                        AND n.psp_account = e.psp_account AND n.posted_at >= \(end) AND n.attempt_id = e.attempt_id
                        AND n.state = 'succeeded')) AS o
            JOIN settlement_line AS l ON l.import_id = o.import_id AND l.member = o.member AND l.line = o.line
            JOIN import_file AS f ON f.id = o.import_id
        WHERE \(counts("f", releasing)) AND (NOT o.is_aside OR l.kind = 'commission')
        ORDER BY o.import_id, o.member, o.line LIMIT \(limit)
        """
    }

    /// The payout lines of all PSP accounts that no bank entry explains, behind `after`, at most `limit`; one that several
    /// reports tell is that of the first (``RepeatedLines``).
    ///
    /// - Throws: `SQLError`.
    package static func payouts(
        of marketplace: String,
        releasing: Set<ImportID> = [],
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Line] {
        let rows = try session.rows(
            """
            SELECT f.sha256, f.psp, f.psp_account, l.* FROM settlement_line AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE l.marketplace = \(marketplace) AND l.kind = 'payout' AND \(counts("f", releasing))
                \(behind(after, "l"))
                AND NOT EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS b ON b.id = m.bank_import
                    WHERE m.payout_import = l.import_id AND m.payout_member = l.member AND m.payout_line = l.line
                    AND \(counts("b", releasing)) \(standsWhole(releasing)))
                AND NOT \(RepeatedLines.hasEarlierEntry(releasing: releasing))
            ORDER BY l.import_id, l.member, l.line LIMIT \(limit)
            """
        )
        return try read(rows)
    }

    /// The bank entries that no payout explains, behind `after`, at most `limit`.
    ///
    /// - Parameters:
    ///   - marketplace: the marketplace.
    ///   - days: when they were booked, or valued where a bank does not say; what nobody's payout is stays so, and is not looked at for ever.
    ///   - releasing: files that are about to be superseded.
    ///   - after: the place of the last one of the page before.
    ///   - limit: how many.
    ///   - session: the transaction.
    /// - Returns: the entries by file, member and row.
    /// - Throws: `SQLError`.
    package static func bankEntries(
        of marketplace: String,
        booked days: ClosedRange<CalendarDay>,
        releasing: Set<ImportID> = [],
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [BankEntry] {
        let (first, last) = (days.lowerBound.description, days.upperBound.description)
        let rows = try session.rows(
            """
            SELECT f.sha256, l.* FROM bank_entry AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE f.marketplace = \(marketplace) AND f.psp IS NULL AND \(counts("f", releasing))
                AND (f.last_day IS NULL OR (f.last_day >= \(first) AND f.first_day <= \(last)))
                AND COALESCE(l.booked_on, l.valued_on) >= \(first) AND COALESCE(l.booked_on, l.valued_on) <= \(last)
                AND NOT \(BankEntryTable.isRepeated(releasing)) \(behind(after, "l"))
                AND NOT EXISTS (SELECT 1 FROM bank_match AS m LEFT JOIN import_file AS p ON p.id = m.payout_import
                    WHERE m.bank_import = l.import_id AND m.bank_member = l.member AND m.bank_line = l.line
                    AND (p.id IS NULL OR \(counts("p", releasing))) \(standsWhole(releasing)))
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
        releasing: Set<ImportID> = [],
        after: PayoutID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Payout] {
        try PayoutTable.payouts(
            """
            marketplace = \(marketplace) AND state = 'paid' AND id > \(after?.text ?? "")
                AND NOT EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS b ON b.id = m.bank_import
                    WHERE m.payout_id = payout.id AND \(counts("b", releasing)) \(standsWhole(releasing)))
            ORDER BY id LIMIT \(limit)
            """,
            in: session
        )
    }

    /// What payouts are called that bank entries explain: those of PSPs as their reports name them, and those to merchants by
    /// their references.
    ///
    /// - Parameters:
    ///   - marketplace: the marketplace.
    ///   - days: the days that reports tell the payouts of.
    ///   - times: when payouts to merchants were paid.
    ///   - releasing: files that are about to be superseded.
    ///   - session: the transaction.
    /// - Returns: the names.
    /// - Throws: `SQLError`.
    package static func explainedPayouts(
        of marketplace: String,
        days: ClosedRange<CalendarDay>,
        times: Range<Timestamp>,
        releasing: Set<ImportID> = [],
        in session: any Session
    ) throws(SQLError) -> [String] {
        let stands: SQL = "\(counts("b", releasing)) \(standsWhole(releasing))"
        let (lines, payouts) = try session.rows(
            """
            SELECT l.batch, l.object_reference, l.entry_reference
            FROM settlement_line AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE l.marketplace = \(marketplace) AND l.kind = 'payout' AND \(counts("f", releasing))
                AND l.day >= \(days.lowerBound.description) AND l.day <= \(days.upperBound.description)
                AND EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS b ON b.id = m.bank_import
                    WHERE m.payout_import = l.import_id AND m.payout_member = l.member AND m.payout_line = l.line
                    AND \(stands))
            """,
            """
            SELECT p.id, p.reference FROM payout AS p
            WHERE p.marketplace = \(marketplace) AND p.paid_at >= \(times.lowerBound) AND p.paid_at < \(times.upperBound)
                AND EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS b ON b.id = m.bank_import
                    WHERE m.payout_id = p.id AND \(stands))
            """
        )
        var names: [String] = []
        for row in lines {
            for column in ["batch", "object_reference", "entry_reference"] {
                if let name = try row.optionalText(column) { names.append(name) }
            }
        }
        for row in payouts { names += [try row.text("id"), try row.text("reference")] }
        return names
    }

    private static func counts(_ table: String, _ releasing: Set<ImportID>) -> SQL {
        SubjectColumns.counts(table, releasing)
    }

    /// Whether none of the payouts that explain the entry of a match together is released.
    private static func standsWhole(_ releasing: Set<ImportID>) -> SQL {
        guard !releasing.isEmpty else { return "" }
        return """
            AND NOT EXISTS (SELECT 1 FROM bank_match AS s WHERE s.bank_import = m.bank_import
                AND s.bank_member = m.bank_member AND s.bank_line = m.bank_line
                AND s.payout_import IN (\(list: releasing.sorted().map(\.sqlValue))))
            """
    }

    private static func behind(_ place: ImportPlace?, _ table: String) -> SQL {
        guard let place else { return "" }
        return """
            AND (\(unsafeText: table).import_id, \(unsafeText: table).member, \(unsafeText: table).line)
                > (\(place.file), \(place.member), \(place.row))
            """
    }

    static func read(_ rows: [Row]) throws(SQLError) -> [Line] {
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

/// Where a row of an imported file stands.
package struct ImportPlace: Hashable, Sendable {
    /// The import.
    package let file: ImportID
    /// The member of an archive, from 0.
    package let member: Int
    /// The row, counted as its reader counts.
    package let row: Int

    /// Makes a place.
    package init(file: ImportID, member: Int = 0, row: Int) {
        self.file = file
        self.member = member
        self.row = row
    }
}
