package import Domain
package import SQL

/// The end of taking files in: all that was stored of them comes to count at once, and is posted.
package struct ImportCompletion: Hashable, Sendable {
    /// How many effects that another file met too are looked at; the turn of runs keeps them from being many.
    private static let rivalsLimit = 100_000

    /// The import.
    package let id: ImportID
    /// When it was begun: another one that began it since has its rows in hand.
    package let begunAt: Timestamp
    /// What all of the file says of itself.
    package let contents: ImportedFile.Contents
    /// How many lines and bank entries were stored of it.
    package let lines: Int64
    /// How many matches of its lines were stored.
    package let matches: Int64
    /// The files whose place it takes, as ``ImportVersions`` found them before anything was matched.
    package let superseding: Set<ImportID>

    /// Makes an end.
    package init(
        id: ImportID,
        begunAt: Timestamp,
        contents: ImportedFile.Contents,
        lines: Int64,
        matches: Int64,
        superseding: Set<ImportID> = []
    ) {
        self.id = id
        self.begunAt = begunAt
        self.contents = contents
        self.lines = lines
        self.matches = matches
        self.superseding = superseding
    }

    /// Ends files that were reconciled together, in the caller's transaction.
    ///
    /// It posts what they settle; files whose place they take are posted back, and so are accepted differences of theirs
    /// that were not found again. Who bears the fees of earlier files' lines that are matched now is put right. Breaks that
    /// are explained now are closed.
    ///
    /// - Parameters:
    ///   - completions: the files.
    ///   - late: lines of files that counted already, which were matched now or whose match says nothing any more.
    ///   - compared: commissions of files that counted already, which were compared with what is expected now, and differ.
    ///   - canceled: lines of files that counted already, which another line takes back; they stay open.
    ///   - agreed: the keys of breaks of batches that agree by now with what files have of them.
    ///   - run: what the breaks of this run were recorded under.
    ///   - marketplace: the marketplace.
    ///   - now: when it is posted.
    ///   - ids: where the entries' identifiers come from.
    ///   - session: the transaction.
    /// - Returns: the identifiers of the entries posted.
    /// - Throws: ``ImportRefusal``, `SettlementOverflow` or `SQLError`; nothing is changed then.
    package static func finish(
        _ completions: [ImportCompletion],
        matching late: [ImportPlace] = [],
        comparing compared: [ImportPlace] = [],
        canceling canceled: [ImportPlace] = [],
        agreeing agreed: [String] = [],
        run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        _ = try ReconciliationTurn.claim(of: marketplace, in: session)
        var files: [(end: ImportCompletion, file: ImportedFile)] = []
        let releasing = Set(completions.flatMap(\.superseding))
        for completion in completions {
            files.append((completion, try completion.check(of: marketplace, releasing: releasing, in: session)))
        }
        var entries: [EntryID] = []
        try MatchTable.release(partsOf: releasing, besides: Set(completions.map(\.id)), in: session)
        for (end, file) in files {
            for other in end.superseding.sorted() {
                entries += try supersede(other, by: file, run: run, at: now, ids: &ids, in: session)
            }
        }
        // Which of the lines that are there twice is posted is decided among all that count.
        let counted = try counting(at: now, of: marketplace, in: session)
        for (end, _) in files { try end.count(at: counted, in: session) }
        for (_, file) in files { entries += try post(file, at: now, ids: &ids, in: session) }
        let changed =
            late
            + (try RepeatedLines.changed(by: run, superseding: releasing, of: marketplace, at: counted, in: session))
        entries += try LateMatchPosting.post(for: changed, run: run, of: marketplace, at: now, ids: &ids, in: session)
        try OpenLineTable.removeMatched(of: marketplace, in: session)
        try OpenLineTable.remove(compared, in: session)
        entries += try BreakTable.closeExplained(run, of: marketplace, at: now, ids: &ids, in: session)
        entries += try BreakTable.closeCompared(compared, run, of: marketplace, at: now, ids: &ids, in: session)
        entries += try BreakTable.closeCanceled(canceled, run, of: marketplace, at: now, ids: &ids, in: session)
        entries += try BreakTable.closeAgreed(agreed, run, of: marketplace, at: now, ids: &ids, in: session)
        try ReconciliationTurn.advance(of: marketplace, in: session)
        return entries
    }

    /// Holds what is stored to what was handed in, and to what counts by now.
    private func check(
        of marketplace: String,
        releasing: Set<ImportID>,
        in session: any Session
    ) throws -> ImportedFile {
        let found = try ImportTable.files(
            "marketplace = \(marketplace) AND id = \(id) \(unsafeText: session.dialect.lock)",
            in: session
        )
        guard let file = found.first else { throw ImportRefusal.unknown(id) }
        guard file.state == .importing else { throw ImportRefusal.notImporting(file) }
        guard file.importedAt == begunAt else { throw ImportRefusal.disturbed(id) }
        let earlier = try ImportVersions.earlier(than: file, document: contents.document, in: session)
        if let stranger = earlier.first(where: { !superseding.contains($0.id) }) {
            throw ImportRefusal.overtaken(by: stranger)
        }
        guard Set(earlier.map(\.id)) == superseding else { throw ImportRefusal.disturbed(id) }
        let counts = try session.rows(
            """
            SELECT (SELECT COUNT(*) FROM settlement_line WHERE import_id = \(id)) AS lines,
                (SELECT COUNT(*) FROM bank_entry WHERE import_id = \(id)) AS entries,
                (SELECT COUNT(*) FROM line_match WHERE import_id = \(id)) AS matches
            """
        )
        guard let row = counts.first, try row.integer("lines") + row.integer("entries") == lines,
            try row.integer("matches") == matches
        else { throw ImportRefusal.disturbed(id) }
        if let other = try rival(releasing: releasing, in: session) { throw ImportRefusal.overtaken(by: other) }
        return file
    }

    /// A file that counts and met an effect that this one is to meet, and that is met once; nil if there is none.
    private func rival(releasing: Set<ImportID>, in session: any Session) throws(SQLError) -> ImportedFile? {
        let released: SQL =
            releasing.isEmpty ? "" : "AND o.import_id NOT IN (\(list: releasing.sorted().map(\.sqlValue)))"
        return try ImportTable.files(
            """
            state = 'done' AND id IN (SELECT r.import_id FROM (SELECT o.import_id, m.subject_kind, m.subject_id
                FROM line_match AS m JOIN line_match AS o
                ON o.subject_id = m.subject_id AND o.subject_kind = m.subject_kind AND o.import_id <> m.import_id
                WHERE m.import_id = \(id) AND m.subject_id IS NOT NULL \(released) LIMIT \(Self.rivalsLimit)) AS r
                WHERE NOT \(SubjectColumns.isRepeated("r"))) ORDER BY id LIMIT 1
            """,
            in: session
        ).first
    }

    private static func supersede(
        _ id: ImportID,
        by file: ImportedFile,
        run: BreakRun,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        try session.run(
            """
            UPDATE import_file SET state = 'superseded', superseded_by = \(file.id) WHERE id = \(id) AND state = 'done'
            """
        )
        try OpenLineTable.forget(id, in: session)
        let posted: SQL =
            PlantedBug.feeUncorrected.isPlanted
            ? "e.import_id = \(id) AND e.kind <> \(JournalEntry.Kind.pspFees.rawValue)" : "e.import_id = \(id)"
        let entries =
            PlantedBug.correctionAdded.isPlanted
            ? [] : try JournalReversals.reverse(posted, at: now, ids: &ids, in: session)
        return entries + (try BreakTable.closeCorrected(id, run, by: file, at: now, ids: &ids, in: session))
    }

    /// When files come to count: behind all that count already, whatever the clock says, so that one can tell which was first.
    private static func counting(
        at now: Timestamp,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Timestamp {
        let last = try session.rows(
            "SELECT MAX(done_at) AS last FROM import_file WHERE marketplace = \(marketplace)"
        ).first?.optionalTime("last")
        return last.map { max(now, Timestamp(microseconds: $0.microseconds + 1)) } ?? now
    }

    /// Lets the file count.
    private func count(at now: Timestamp, in session: any Session) throws {
        let changed = try session.change(
            """
            UPDATE import_file SET state = 'done', done_at = \(now), document = \(contents.document),
                row_count = \(contents.rows), unusable = \(contents.unusable), totals = \(contents.totals),
                first_day = \(contents.firstDay), last_day = \(contents.lastDay)
            WHERE id = \(id) AND state = 'importing'
            """
        )
        guard changed == 1 else { throw ImportRefusal.disturbed(id) }
    }

    /// Posts what a file settles that counts since now.
    private static func post(
        _ file: ImportedFile,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        var entries: [EntryID] = []
        if let account = file.account {
            for batch in try SettledBatchTable.batches(of: file.id, in: session) {
                let posted = try batch.entries(of: file.id, pspAccount: account.name, at: now, ids: &ids)
                try JournalRows.insert(
                    posted,
                    of: nil,
                    marketplace: file.marketplace,
                    currency: batch.currency,
                    in: session
                )
                entries += posted.map(\.id)
            }
        }
        try OpenLineTable.add(file, in: session)
        return entries
    }
}
