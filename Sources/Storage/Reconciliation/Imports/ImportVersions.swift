import Domain
package import SQL

/// Which files that count are earlier versions of one that is being taken in.
package enum ImportVersions {
    /// The files that it takes the place of: of the same format and account, and with the same name of the document, or
    /// with the same batches.
    ///
    /// - Parameters:
    ///   - file: a file whose rows are all stored.
    ///   - document: what it calls itself.
    ///   - session: the transaction.
    /// - Returns: the files, oldest first.
    /// - Throws: ``ImportRefusal/overlaps(_:)`` for a file that has a part of it, but is another document; `SQLError`.
    package static func earlier(
        than file: ImportedFile,
        document: String?,
        in session: any Session
    ) throws -> [ImportedFile] {
        let batches = try batches(of: file.id, in: session)
        var earlier: [ImportedFile] = []
        for other in try candidates(for: file, in: session) {
            if let document, other.contents.document == document {
                earlier.append(other)
                continue
            }
            let theirs = try Self.batches(of: other.id, in: session)
            let common = batches.intersection(theirs)
            guard try !common.isEmpty && hasCommonLine(file.id, other.id, in: session) else { continue }
            guard batches == theirs else { throw ImportRefusal.overlaps(other) }
            earlier.append(other)
        }
        return earlier
    }

    /// Files of other formats name other batches; so do other accounts.
    private static func candidates(
        for file: ImportedFile,
        in session: any Session
    ) throws(SQLError) -> [ImportedFile] {
        let account: SQL = file.account.map { "psp_account = \($0.name)" } ?? "psp_account IS NULL"
        return try ImportTable.files(
            """
            marketplace = \(file.marketplace) AND format = \(file.format) AND \(account) AND state = 'done'
                AND id <> \(file.id) ORDER BY id
            """,
            in: session
        )
    }

    private static func batches(of file: ImportID, in session: any Session) throws(SQLError) -> Set<String> {
        var batches: Set<String> = []
        let rows = try session.rows(
            "SELECT DISTINCT batch FROM settlement_line WHERE import_id = \(file) AND batch IS NOT NULL"
        )
        for row in rows { batches.insert(try row.text("batch")) }
        return batches
    }

    /// Whether some line of one is in the other as well.
    ///
    /// A batch may go on in a file of the next day, which has other lines of it. A line is the same by the PSP's name
    /// for it, else by what it is about; one without any reference is not compared.
    private static func hasCommonLine(
        _ file: ImportID,
        _ other: ImportID,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let name: SQL = """
            SELECT batch, COALESCE(entry_reference, kind || ' ' || COALESCE(object_reference, '') || ' '
                || COALESCE(payment_reference, reference, '')) AS name
            FROM settlement_line WHERE batch IS NOT NULL
                AND COALESCE(entry_reference, object_reference, payment_reference, reference) IS NOT NULL
                AND import_id =
            """
        let rows = try session.rows(
            """
            SELECT 1 AS found FROM (\(name) \(file)) AS one JOIN (\(name) \(other)) AS two
                ON two.batch = one.batch AND two.name = one.name LIMIT 1
            """
        )
        return !rows.isEmpty
    }
}
