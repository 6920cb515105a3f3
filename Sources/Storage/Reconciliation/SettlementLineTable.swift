package import Domain
package import SQL

/// The lines of settlement files.
package enum SettlementLineTable {
    /// Stores lines of a file that is being taken in; those that are stored already stay as they are.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func add(
        _ lines: [ImportedLine],
        to file: ImportedFile,
        in session: any Session
    ) throws(SQLError) {
        try BulkInsert.run(
            lines.map { row($0, of: file) },
            """
            INSERT INTO settlement_line (import_id, member, line, marketplace, hash, kind, type, account, submerchant,
                reference, attempt_id, operation_id, payment_reference, object_reference, entry_reference, batch,
                presentment, gross, fee, net, exchange_rate, occurred_on, booked_on, paid_on, day, currency, decimals,
                change_units, fee_units, sold_currency, sold_decimals, sold_units)
            """,
            "ON CONFLICT (import_id, member, line) DO NOTHING",
            in: session
        )
    }

    private static func row(_ imported: ImportedLine, of file: ImportedFile) -> [SQLValue] {
        let effect = LineEffect(of: imported)
        let (line, sold) = (imported.line, effect?.sold)
        return [
            file.id.sqlValue, imported.member.sqlValue, line.row.sqlValue, file.marketplace.sqlValue,
            imported.hash.sqlValue, line.kind.rawValue.sqlValue, line.type.sqlValue, line.account.sqlValue,
            line.submerchant.sqlValue, line.reference.sqlValue, line.attempt.sqlValue, line.operation.sqlValue,
            line.paymentReference.sqlValue, line.objectReference.sqlValue, line.entryReference.sqlValue,
            line.batch.sqlValue, (line.presentment?.description).sqlValue, (line.gross?.description).sqlValue,
            (line.fee?.description).sqlValue, (line.net?.description).sqlValue, line.exchangeRate.sqlValue,
            (line.occurredOn?.text).sqlValue, (line.bookedOn?.text).sqlValue, (line.paidOn?.text).sqlValue,
            imported.day.sqlValue, (effect?.currency.code).sqlValue, (effect?.decimals).sqlValue,
            (effect?.change).sqlValue, (effect?.fee).sqlValue, (sold?.currency.code).sqlValue,
            (sold?.decimals).sqlValue, (sold?.units).sqlValue,
        ]
    }

    /// Reads a row of `settlement_line`.
    static func read(_ row: Row) throws(SQLError) -> ImportedLine {
        var line = SettlementLine(
            row: Int(try row.integer("line")),
            kind: try row.word("kind"),
            type: try row.text("type")
        )
        line.account = try row.optionalText("account")
        line.submerchant = try row.optionalText("submerchant")
        line.reference = try row.optionalText("reference")
        line.attempt = try row.optionalIdentifier("attempt_id")
        line.operation = try row.optionalIdentifier("operation_id")
        line.paymentReference = try row.optionalText("payment_reference")
        line.objectReference = try row.optionalText("object_reference")
        line.entryReference = try row.optionalText("entry_reference")
        line.batch = try row.optionalText("batch")
        line.presentment = try row.optionalAmount("presentment")
        line.gross = try row.optionalAmount("gross")
        line.fee = try row.optionalAmount("fee")
        line.net = try row.optionalAmount("net")
        line.exchangeRate = try row.optionalText("exchange_rate")
        line.occurredOn = try row.optionalText("occurred_on").map { SettlementDate($0) }
        line.bookedOn = try row.optionalText("booked_on").map { SettlementDate($0) }
        line.paidOn = try row.optionalText("paid_on").map { SettlementDate($0) }
        return ImportedLine(member: Int(try row.integer("member")), hash: try row.bytes("hash"), line: line)
    }
}

extension Row {
    /// An exact amount as text, or NULL.
    func optionalAmount(_ column: String) throws(SQLError) -> SettlementAmount? {
        guard let text = try optionalText(column) else { return nil }
        guard let amount = SettlementAmount(text: text) else { throw .unexpectedValue(column: column) }
        return amount
    }

    /// Where a row of a file stands.
    func place(
        _ file: String = "import_id",
        _ member: String = "member",
        _ line: String = "line"
    ) throws(SQLError) -> ImportPlace {
        ImportPlace(
            file: try identifier(file),
            member: Int(try integer(member)),
            row: Int(try integer(line))
        )
    }
}

/// What a line does to our balance at the PSP, in one currency and scale, so that the database can add lines up.
struct LineEffect: Hashable {
    /// The currency that is settled.
    let currency: Currency
    /// The decimal digits of ``change`` and ``fee``.
    let decimals: Int
    /// What the balance changed by before the PSP took its fee.
    let change: Int64
    /// What the PSP took (positive).
    let fee: Int64
    /// What a payment of ours is compared with, where that is in another currency.
    let sold: SettlementAmount?

    /// What a line does; nil if it names no amount, or only amounts too large to add up.
    ///
    /// Before the fee is gross, unless gross is in another currency than net: then it is net and fee. A fee's line is
    /// nothing but fee, which is what its net takes.
    init?(of imported: ImportedLine) {
        let line = imported.line
        guard let settled = line.net ?? line.gross else { return nil }
        let currency = settled.currency
        let gross = line.gross.flatMap { $0.currency == currency ? $0 : nil }
        let stated = line.fee.flatMap { $0.currency == currency ? $0 : nil }
        let decimals = [settled, gross, stated].compactMap { $0?.decimals }.max() ?? settled.decimals
        func units(_ amount: SettlementAmount?) -> Int128 {
            guard let amount else { return 0 }
            return Int128(amount.units) * Self.power(decimals - amount.decimals)
        }
        let (change, fee): (Int128, Int128)
        if line.kind == .fee {
            (change, fee) = (0, -units(settled))
        } else if line.net == nil {
            (change, fee) = (units(gross), units(stated))
        } else if let gross {
            (change, fee) = (units(gross), units(gross) - units(line.net))
        } else {
            (change, fee) = (units(line.net) + units(stated), units(stated))
        }
        guard let change = Int64(exactly: change), let fee = Int64(exactly: fee) else { return nil }
        self.currency = currency
        self.decimals = decimals
        self.change = change
        self.fee = fee
        let sold = line.presentment ?? line.gross
        self.sold = line.kind.isEffect ? sold.flatMap { $0.currency == currency ? nil : $0 } : nil
    }

    private static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { product, _ in product * 10 } }
}

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
