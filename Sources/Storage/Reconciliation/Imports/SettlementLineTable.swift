import Domain
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
