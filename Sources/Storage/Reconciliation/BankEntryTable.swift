package import Domain
package import SQL

/// The entries of banks' statements.
package enum BankEntryTable {
    /// How many entries one statement reads or takes out.
    private static let rowsPerStatement = 500

    /// Stores entries of a file that is being taken in; those that are stored already stay as they are.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func add(
        _ entries: [ImportedBankEntry],
        to file: ImportedFile,
        in session: any Session
    ) throws(SQLError) {
        try add(entries, to: file, repeating: [:], in: session)
    }

    private static func add(
        _ entries: [ImportedBankEntry],
        to file: ImportedFile,
        repeating others: [ImportPlace: Set<ImportID>],
        in session: any Session
    ) throws(SQLError) {
        let rows: [[SQLValue]] = entries.map { entry in
            let place = ImportPlace(file: file.id, member: entry.member, row: entry.row)
            let repeated = others[place, default: []].sorted()
            let rest = repeated.dropFirst().map(\.text).joined(separator: " ")
            return [
                file.id.sqlValue, entry.member.sqlValue, entry.row.sqlValue, file.marketplace.sqlValue,
                entry.hash.sqlValue, entry.account.sqlValue, entry.amount.currency.code.sqlValue,
                entry.amount.decimals.sqlValue, entry.amount.units.sqlValue, entry.bookedOn.sqlValue,
                entry.valuedOn.sqlValue, entry.reference.sqlValue, entry.bankReference.sqlValue,
                entry.details.sqlValue, repeated.first.sqlValue, (rest.isEmpty ? nil : rest).sqlValue,
            ]
        }
        try BulkInsert.run(
            rows,
            """
            INSERT INTO bank_entry (import_id, member, line, marketplace, hash, account, currency, decimals, units,
                booked_on, valued_on, reference, bank_reference, details, repeats_import, repeats_others)
            """,
            "ON CONFLICT (import_id, member, line) DO NOTHING",
            in: session
        )
    }

    /// Writes down of entries of a file that is being taken in which other files have them: as long as one of those counts,
    /// they are no movement of their own (``isRepeated(_:)``).
    ///
    /// - Throws: `SQLError`.
    package static func mark(
        _ repeated: [ImportPlace: Set<ImportID>],
        of file: ImportedFile,
        in session: any Session
    ) throws(SQLError) {
        for (member, places) in Dictionary(grouping: repeated.keys, by: \.member).sorted(by: { $0.key < $1.key }) {
            var rest = places.map { Int64($0.row) }.sorted()[...]
            while !rest.isEmpty {
                let lines = rest.prefix(rowsPerStatement).map(\.sqlValue)
                rest = rest.dropFirst(rowsPerStatement)
                let own: SQL = "import_id = \(file.id) AND member = \(member) AND line IN (\(list: lines))"
                var entries: [ImportedBankEntry] = []
                for row in try session.rows("SELECT * FROM bank_entry WHERE \(own)") { entries.append(try read(row)) }
                // Entries come and go; whoever serves has no right to change one.
                try session.run("DELETE FROM bank_entry WHERE \(own)")
                try add(entries, to: file, repeating: repeated, in: session)
            }
        }
    }

    /// Whether another file that counts, and goes on to, has the entry `l`, too.
    static func isRepeated(_ releasing: Set<ImportID>) -> SQL {
        let counts = SubjectColumns.counts("r", releasing)
        return """
            (EXISTS (SELECT 1 FROM import_file AS r WHERE r.id = l.repeats_import AND \(counts))
                OR (l.repeats_others IS NOT NULL AND EXISTS (SELECT 1 FROM import_file AS r
                    WHERE r.marketplace = l.marketplace AND r.psp IS NULL AND \(counts)
                        AND l.repeats_others LIKE '%' || r.id || '%')))
            """
    }

    /// The entries of files that count and go on to, behind `after`, at most `limit`; also those that repeat one another.
    ///
    /// - Parameters:
    ///   - accounts: the bank accounts, as statements name them.
    ///   - marketplace: the marketplace.
    ///   - days: when they were booked, or valued where a bank does not say.
    ///   - releasing: files that are about to be superseded.
    ///   - after: the place of the last one of the page before.
    ///   - limit: how many.
    ///   - session: the transaction.
    /// - Returns: the entries by file, member and row.
    /// - Throws: `SQLError`.
    package static func counting(
        on accounts: [String],
        of marketplace: String,
        days: ClosedRange<String>,
        releasing: Set<ImportID>,
        after: ImportPlace?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [(place: ImportPlace, entry: ImportedBankEntry)] {
        var behind: SQL = ""
        if let after {
            behind = "AND (l.import_id, l.member, l.line) > (\(after.file), \(after.member), \(after.row))"
        }
        let rows = try session.rows(
            """
            SELECT l.* FROM bank_entry AS l JOIN import_file AS f ON f.id = l.import_id
            WHERE f.marketplace = \(marketplace) AND f.psp IS NULL AND \(SubjectColumns.counts("f", releasing))
                AND (f.last_day IS NULL OR (f.last_day >= \(days.lowerBound) AND f.first_day <= \(days.upperBound)))
                AND COALESCE(l.booked_on, l.valued_on) >= \(days.lowerBound)
                AND COALESCE(l.booked_on, l.valued_on) <= \(days.upperBound)
                AND l.account IN (\(list: accounts.map(\.sqlValue))) \(behind)
            ORDER BY l.import_id, l.member, l.line LIMIT \(limit)
            """
        )
        var entries: [(place: ImportPlace, entry: ImportedBankEntry)] = []
        for row in rows { entries.append((try row.place(), try read(row))) }
        return entries
    }

    /// Reads a row of `bank_entry`.
    static func read(_ row: Row) throws(SQLError) -> ImportedBankEntry {
        let amount = SettlementAmount(
            exactly: try row.integer("units"),
            decimals: Int(try row.integer("decimals")),
            currency: try row.currency("currency")
        )
        guard let amount else { throw .unexpectedValue(column: "units") }
        return ImportedBankEntry(
            member: Int(try row.integer("member")),
            row: Int(try row.integer("line")),
            hash: try row.bytes("hash"),
            account: try row.text("account"),
            amount: amount,
            bookedOn: try row.optionalText("booked_on"),
            valuedOn: try row.optionalText("valued_on"),
            reference: try row.optionalText("reference"),
            bankReference: try row.optionalText("bank_reference"),
            details: try row.optionalText("details")
        )
    }
}
