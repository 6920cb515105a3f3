package import Domain
package import SQL

/// Files of PSPs and banks, each taken in once.
///
/// The steps: ``begin(_:in:)``; the rows, by ``SettlementLineTable`` and ``BankEntryTable``, in transactions of any
/// size; what they are matched to, by ``MatchTable``, and what differs, by ``BreakTable``; and
/// ``ImportCompletion``, which makes all of it count at once. Whatever came before may be done again.
package enum ImportTable {
    /// A file that may be filled.
    package enum Begun: Hashable, Sendable {
        /// It is new.
        case fresh(ImportedFile)
        /// It was begun before and not finished; its rows and what they were matched to are forgotten, for it may be read
        /// otherwise now.
        case resumed(ImportedFile)

        /// The file, with the identifier it has.
        package var file: ImportedFile {
            switch self {
            case .fresh(let file), .resumed(let file): file
            }
        }
    }

    /// Writes down that a file is to be taken in.
    ///
    /// - Throws: ``ImportRefusal/known(_:)`` if it was taken in before, or `SQLError`.
    package static func begin(_ file: ImportedFile, in session: any Session) throws -> Begun {
        let account = file.account
        try session.run(
            """
            INSERT INTO import_file (id, marketplace, sha256, name, format, psp, psp_account, document, size, row_count,
                unusable, totals, first_day, last_day, state, imported_at)
            VALUES (\(file.id), \(file.marketplace), \(file.sha256), \(file.name), \(file.format), \(account?.psp),
                \(account?.name), \(file.contents.document), \(file.size), \(file.contents.rows),
                \(file.contents.unusable), \(file.contents.totals), \(file.contents.firstDay),
                \(file.contents.lastDay), \(ImportedFile.State.importing.rawValue), \(file.importedAt))
            ON CONFLICT (marketplace, sha256) WHERE state <> 'superseded' DO NOTHING
            """
        )
        guard let stored = try find(sha256: file.sha256, of: file.marketplace, in: session) else {
            throw SQLError.unexpectedValue(column: "sha256")
        }
        guard stored.state == .importing else { throw ImportRefusal.known(stored) }
        guard stored.id != file.id else { return .fresh(stored) }
        // Locks the file before anything of it is forgotten: whoever ends it meanwhile ends all of it.
        let resumed = try session.change(
            """
            UPDATE import_file SET name = \(file.name), format = \(file.format), psp = \(account?.psp),
                psp_account = \(account?.name), imported_at = \(file.importedAt) WHERE id = \(stored.id) AND state = 'importing'
            """
        )
        let current = try find(stored.id, of: file.marketplace, in: session) ?? stored
        guard resumed == 1 else { throw ImportRefusal.known(current) }
        try MatchTable.forget(stored.id, in: session)
        try session.run("DELETE FROM settlement_line WHERE import_id = \(stored.id)")
        try session.run("DELETE FROM bank_entry WHERE import_id = \(stored.id)")
        return .resumed(current)
    }

    /// Holds a file to the end of the transaction, so that nobody else begins it or ends it meanwhile.
    ///
    /// - Throws: ``ImportRefusal/disturbed(_:)`` if somebody did since it was begun, or `SQLError`.
    package static func hold(_ file: ImportedFile, in session: any Session) throws {
        let held = try files("id = \(file.id) AND state = 'importing' \(unsafeText: session.dialect.lock)", in: session)
        guard held.first?.importedAt == file.importedAt else { throw ImportRefusal.disturbed(file.id) }
    }

    /// The file with these bytes that was not superseded.
    package static func find(
        sha256: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> ImportedFile? {
        try files(
            "marketplace = \(marketplace) AND sha256 = \(sha256) AND state <> 'superseded'",
            in: session
        ).first
    }

    /// The latest file with these bytes that was superseded.
    ///
    /// - Throws: `SQLError`.
    package static func findSuperseded(
        sha256: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> ImportedFile? {
        try files(
            "marketplace = \(marketplace) AND sha256 = \(sha256) AND state = 'superseded' ORDER BY id DESC LIMIT 1",
            in: session
        ).first
    }

    /// The file with that identifier.
    package static func find(
        _ id: ImportID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> ImportedFile? {
        try files("marketplace = \(marketplace) AND id = \(id)", in: session).first
    }

    /// The files of a marketplace behind `after`, newest first, at most `limit`.
    package static func list(
        of marketplace: String,
        after: ImportID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [ImportedFile] {
        var condition: SQL = "marketplace = \(marketplace)"
        if let after { condition = "\(condition) AND id < \(after)" }
        return try files("\(condition) ORDER BY id DESC LIMIT \(limit)", in: session)
    }

    /// The files that satisfy a condition on `import_file`.
    static func files(_ condition: SQL, in session: any Session) throws(SQLError) -> [ImportedFile] {
        var files: [ImportedFile] = []
        for row in try session.rows("SELECT * FROM import_file WHERE \(condition)") { files.append(try read(row)) }
        return files
    }

    private static func read(_ row: Row) throws(SQLError) -> ImportedFile {
        var account: ImportedFile.Account?
        if let psp = try row.optionalText("psp") {
            account = ImportedFile.Account(psp: psp, name: try row.text("psp_account"))
        }
        return ImportedFile(
            id: try row.identifier("id"),
            marketplace: try row.text("marketplace"),
            sha256: try row.text("sha256"),
            name: try row.text("name"),
            format: try row.text("format"),
            account: account,
            size: try row.integer("size"),
            contents: ImportedFile.Contents(
                document: try row.optionalText("document"),
                rows: try row.integer("row_count"),
                unusable: try row.integer("unusable"),
                totals: try row.text("totals"),
                firstDay: try row.optionalText("first_day"),
                lastDay: try row.optionalText("last_day")
            ),
            state: try row.word("state"),
            supersededBy: try row.optionalIdentifier("superseded_by"),
            importedAt: try row.time("imported_at"),
            doneAt: try row.optionalTime("done_at")
        )
    }
}

/// Why a file is not taken in; nothing of it counts then.
package enum ImportRefusal: Error, Hashable, Sendable {
    /// These bytes were taken in before.
    case known(ImportedFile)
    /// The file has a part in common with this one, which counts, but is not another version of it.
    case overlaps(ImportedFile)
    /// Another file came to count meanwhile that met what this one is to meet: reconcile again.
    case overtaken(by: ImportedFile)
    /// There is no such import.
    case unknown(ImportID)
    /// Other rows or matches are stored than were handed in, so that somebody else is at it: begin again.
    case disturbed(ImportID)
    /// The import is not being taken in any more.
    case notImporting(ImportedFile)
}

/// A marketplace's reconciliations come to count one after the other.
package enum ReconciliationTurn {
    /// How many came to count so far.
    ///
    /// - Throws: `SQLError`.
    package static func number(of marketplace: String, in session: any Session) throws(SQLError) -> Int64 {
        let rows = try session.rows("SELECT number FROM reconciliation_turn WHERE marketplace = \(marketplace)")
        return try rows.first?.integer("number") ?? 0
    }

    /// Waits for the turn, and holds it to the end of the transaction.
    ///
    /// - Returns: how many came to count so far.
    /// - Throws: `SQLError`.
    package static func claim(of marketplace: String, in session: any Session) throws(SQLError) -> Int64 {
        try session.run(
            "INSERT INTO reconciliation_turn (marketplace) VALUES (\(marketplace)) ON CONFLICT (marketplace) DO NOTHING"
        )
        let rows = try session.rows(
            """
            SELECT number FROM reconciliation_turn WHERE marketplace = \(marketplace)
            \(unsafeText: session.dialect.lock)
            """
        )
        return try rows.first?.integer("number") ?? 0
    }

    /// Counts one more; the turn has to be held.
    static func advance(of marketplace: String, in session: any Session) throws(SQLError) {
        try session.run("UPDATE reconciliation_turn SET number = number + 1 WHERE marketplace = \(marketplace)")
    }
}
