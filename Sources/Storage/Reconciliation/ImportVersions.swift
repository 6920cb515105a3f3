package import Domain
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
    /// - Throws: ``ImportRefusal/overlaps(_:)`` for a file that has a part of it, but is another document, or of other days;
    ///   `SQLError`.
    package static func earlier(
        than file: ImportedFile,
        document: String?,
        in session: any Session
    ) throws -> [ImportedFile] {
        let batches = try batches(of: file.id, in: session)
        return try candidates(
            for: file.marketplace,
            file.format,
            file.account,
            document,
            batches,
            in: session
        ).filter { other in
            guard other.id != file.id else { return false }
            return try isEarlier(
                other,
                document: document,
                batches: batches,
                days: { try days(of: file.id, in: session) },
                in: session,
                hasCommonLine: { try hasCommonLine(file.id, other.id, in: session) },
                batchesOfLine: { try Self.batches(ofLine: $0, in: file.id, session) }
            )
        }
    }

    /// The files that a file would take the place of whose rows are not stored.
    ///
    /// - Throws: ``ImportRefusal/overlaps(_:)`` as ``earlier(than:document:in:)`` does; `SQLError`.
    package static func earlier(than file: UnstoredImport, in session: any Session) throws -> [ImportedFile] {
        try candidates(
            for: file.marketplace,
            file.format,
            file.account,
            file.document,
            file.batches,
            in: session
        ).filter { other in
            try isEarlier(
                other,
                document: file.document,
                batches: file.batches,
                days: { file.days },
                in: session,
                hasCommonLine: { try hasLine(of: file, other.id, in: session) },
                batchesOfLine: { name in file.lines.filter { $0.name == name }.map(\.batch) }
            )
        }
    }

    /// What came of a file that lost its place.
    package struct Succession: Hashable, Sendable {
        /// The file that counts in its place; nil if none does.
        package var counting: ImportedFile?
        /// The files that lost their place together with it, or with one that took it, and count in no other way.
        package var others: [ImportedFile] = []
    }

    /// Follows a file that was superseded to the one that counts.
    ///
    /// - Throws: `SQLError`.
    package static func succession(
        of file: ImportedFile,
        in session: any Session
    ) throws(SQLError) -> Succession {
        var (succession, current) = (Succession(), file)
        while let next = current.supersededBy {
            succession.others += try ImportTable.files(
                """
                superseded_by = \(next) AND id <> \(current.id) AND NOT EXISTS (SELECT 1 FROM import_file AS again
                    WHERE again.marketplace = import_file.marketplace AND again.sha256 = import_file.sha256
                        AND again.state = 'done')
                ORDER BY id
                """,
                in: session
            )
            guard let later = try ImportTable.find(next, of: file.marketplace, in: session) else { break }
            current = later
        }
        if current.state == .done { succession.counting = current }
        return succession
    }

    private static func isEarlier(
        _ other: ImportedFile,
        document: String?,
        batches: Set<String>,
        days: () throws -> ImportedDays,
        in session: any Session,
        hasCommonLine: () throws -> Bool,
        batchesOfLine: (_ name: String) throws -> [String]
    ) throws -> Bool {
        if let document, other.contents.document == document { return true }
        let theirs = try Self.batches(of: other.id, in: session)
        guard try !batches.isDisjoint(with: theirs) && hasCommonLine() else { return false }
        // A later version may have more, but not less.
        let missing = theirs.subtracting(batches)
        guard try missing.isEmpty || isCut(other.id, inside: missing, in: session, batchesOfLine),
            try !days().areMoved(from: Self.days(of: other.id, in: session))
        else { throw ImportRefusal.overlaps(other) }
        return true
    }

    /// The days of a file's lines in batches.
    private static func days(of file: ImportID, in session: any Session) throws(SQLError) -> ImportedDays {
        let rows = try session.rows(
            """
            SELECT CASE WHEN kind = 'payout' THEN 1 ELSE 0 END AS is_payout, MIN(day) AS first, MAX(day) AS last
            FROM settlement_line WHERE import_id = \(file) AND batch IS NOT NULL AND day IS NOT NULL GROUP BY 1
            """
        )
        var days = ImportedDays()
        for row in rows {
            let isPayout = try row.integer("is_payout") == 1
            for column in ["first", "last"] { days.add(try row.text(column), isPayout: isPayout) }
        }
        return days
    }

    /// Whether all that a file has more than a later one is how its last line ends, which was cut inside its batch's name:
    /// the later one has that line in a batch whose name goes on.
    ///
    /// That a name begins another's says nothing by itself: `po_12` is no part of `po_123`.
    private static func isCut(
        _ file: ImportID,
        inside missing: Set<String>,
        in session: any Session,
        _ batchesOfLine: (_ name: String) throws -> [String]
    ) throws -> Bool {
        guard missing.count == 1, let batch = missing.first else { return false }
        let (named, last) = try session.rows(
            "SELECT COUNT(*) AS lines FROM settlement_line WHERE import_id = \(file) AND batch = \(batch)",
            """
            SELECT batch, \(name) AS name FROM settlement_line WHERE import_id = \(file)
            ORDER BY member DESC, line DESC LIMIT 1
            """
        )
        guard try named.first?.integer("lines") == 1, let row = last.first, try row.optionalText("batch") == batch,
            let line = try row.optionalText("name")
        else { return false }
        return try batchesOfLine(line).contains { $0 != batch && $0.utf8.starts(with: batch.utf8) }
    }

    /// The batches in which a file has a line of that name.
    private static func batches(
        ofLine line: String,
        in file: ImportID,
        _ session: any Session
    ) throws(SQLError) -> [String] {
        var batches: [String] = []
        let rows = try session.rows("SELECT batch FROM (\(names(file))) AS lines WHERE name = \(line)")
        for row in rows { batches.append(try row.text("batch")) }
        return batches
    }

    /// Whether two files have something in common, and so are versions of one, or parts that overlap.
    ///
    /// - Throws: `SQLError`.
    package static func haveCommonLines(
        _ one: ImportID,
        _ other: ImportID,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let common = try batches(of: one, in: session).intersection(try batches(of: other, in: session))
        guard !common.isEmpty else { return false }
        return try hasCommonLine(one, other, in: session)
    }

    /// The files that count and have the document's name, or one of the batches; files of other formats name other
    /// batches, and so do other accounts.
    private static func candidates(
        for marketplace: String,
        _ format: String,
        _ account: ImportedFile.Account?,
        _ document: String?,
        _ batches: Set<String>,
        in session: any Session
    ) throws(SQLError) -> [ImportedFile] {
        guard document != nil || !batches.isEmpty else { return [] }
        let isOfAccount: SQL = account.map { "psp_account = \($0.name)" } ?? "psp_account IS NULL"
        var hasBatch: SQL = ""
        if !batches.isEmpty {
            hasBatch = """
                OR id IN (SELECT import_id FROM settlement_line
                    WHERE marketplace = \(marketplace) AND batch IN (\(list: batches.sorted().map(\.sqlValue))))
                """
        }
        return try ImportTable.files(
            """
            marketplace = \(marketplace) AND format = \(format) AND \(isOfAccount) AND state = 'done'
                AND (document = \(document ?? "") \(hasBatch)) ORDER BY id
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
        let rows = try session.rows(
            """
            SELECT 1 AS found FROM (\(names(file))) AS one JOIN (\(names(other))) AS two
                ON two.batch = one.batch AND two.name = one.name LIMIT 1
            """
        )
        return !rows.isEmpty
    }

    /// Whether a file has some of another's first lines.
    private static func hasLine(
        of file: UnstoredImport,
        _ other: ImportID,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let lines = Set(file.lines.map(\.name)).sorted().map(\.sqlValue)
        guard !lines.isEmpty else { return false }
        let rows = try session.rows(
            "SELECT batch, name FROM (\(names(other))) AS lines WHERE name IN (\(list: lines)) ORDER BY batch, name"
        )
        for row in rows {
            let line = UnstoredImport.Line(batch: try row.text("batch"), name: try row.text("name"))
            if file.lines.contains(line) { return true }
        }
        return false
    }

    /// What lines of batches are called, as ``Domain/SettlementLine/nameInBatch`` has it.
    private static func names(_ file: ImportID) -> SQL {
        """
        SELECT batch, \(name) AS name
        FROM settlement_line WHERE batch IS NOT NULL AND \(name) IS NOT NULL AND import_id = \(file)
        """
    }

    /// A line's name; NULL for one without any reference.
    private static let name: SQL = """
        CASE WHEN COALESCE(entry_reference, object_reference, payment_reference, reference) IS NULL THEN NULL
            ELSE COALESCE(entry_reference, kind || ' ' || COALESCE(object_reference, '') || ' '
                || COALESCE(payment_reference, reference, '')) END
        """
}
