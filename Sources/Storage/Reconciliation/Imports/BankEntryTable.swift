import Domain
package import SQL

/// The entries of banks' statements.
package enum BankEntryTable {
    /// Stores entries of a file that is being taken in; those that are stored already stay as they are.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func add(
        _ entries: [ImportedBankEntry],
        to file: ImportedFile,
        in session: any Session
    ) throws(SQLError) {
        let rows: [[SQLValue]] = entries.map { entry in
            [
                file.id.sqlValue, entry.member.sqlValue, entry.row.sqlValue, file.marketplace.sqlValue,
                entry.hash.sqlValue, entry.account.sqlValue, entry.amount.currency.code.sqlValue,
                entry.amount.decimals.sqlValue, entry.amount.units.sqlValue, entry.bookedOn.sqlValue,
                entry.valuedOn.sqlValue, entry.reference.sqlValue, entry.bankReference.sqlValue,
                entry.details.sqlValue,
            ]
        }
        try BulkInsert.run(
            rows,
            """
            INSERT INTO bank_entry (import_id, member, line, marketplace, hash, account, currency, decimals, units,
                booked_on, valued_on, reference, bank_reference, details)
            """,
            "ON CONFLICT (import_id, member, line) DO NOTHING",
            in: session
        )
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
