package import Domain
package import SQL

/// Changing what becomes of breaks.
extension BreakTable {
    /// Does what somebody decided about a break, if it is still in the state that they saw.
    ///
    /// A difference that is written off or forced is posted.
    ///
    /// - Parameters:
    ///   - decision: what is decided, by whom and why.
    ///   - id: the break.
    ///   - seen: the state that it was decided on.
    ///   - marketplace: the marketplace.
    ///   - now: when.
    ///   - ids: where the entry's identifier comes from.
    ///   - session: the transaction.
    /// - Returns: the break as it is now.
    /// - Throws: `BreakRefusal` or `SQLError`; nothing is changed then.
    package static func act(
        _ decision: BreakDecision,
        on id: BreakID,
        seenAs seen: BreakState,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> StoredBreak {
        let condition: SQL = "marketplace = \(marketplace) AND id = \(id)"
        let found = try breaks("\(condition) \(unsafeText: session.dialect.lock)", in: session).first
        guard let found else { throw BreakRefusal.unknown(id) }
        guard found.state == seen else { throw BreakRefusal.changed(found.state) }
        guard seen.allows(decision.state) else { throw BreakRefusal.illegal(from: seen, to: decision.state) }
        _ = try move(found, decision, at: now, ids: &ids, in: session)
        guard let changed = try breaks(condition, in: session).first else { throw BreakRefusal.unknown(id) }
        return changed
    }

    /// Brings a break to another state, writes down the action, posts it or posts it back.
    ///
    /// - Returns: the entries posted.
    static func move(
        _ found: StoredBreak,
        _ decision: BreakDecision,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        let number = found.actions + 1
        let changed = try session.change(
            """
            UPDATE recon_break SET state = \(decision.state.rawValue), actions = \(number),
                resolved_at = \(decision.state.isUnresolved ? nil : now)
            WHERE id = \(found.id) AND state = \(found.state.rawValue) AND actions = \(found.actions)
            """
        )
        guard changed == 1 else { throw SQLError.serializationFailure }
        try session.run(
            """
            INSERT INTO break_action (break_id, number, actor, reason, at, from_state, to_state)
            VALUES (\(found.id), \(number), \(decision.actor), \(decision.reason), \(now), \(found.state.rawValue),
                \(decision.state.rawValue))
            """
        )
        var entries: [EntryID] = []
        if found.state.isPosted {
            entries += try JournalReversals.reverse("e.break_id = \(found.id)", at: now, ids: &ids, in: session)
        }
        if let entry = try entry(of: found, as: decision.state, number, at: now, ids: &ids, in: session),
            let currency = found.difference.currency
        {
            try JournalRows.insert(
                [entry],
                of: nil,
                marketplace: found.marketplace,
                currency: currency,
                in: session
            )
            entries.append(entry.id)
        }
        return entries
    }

    private static func entry(
        of found: StoredBreak,
        as state: BreakState,
        _ number: Int,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws(SQLError) -> JournalEntry? {
        guard let kind = state.entryKind, let posting = found.difference.posting(for: state),
            try passesClearing(found.difference, in: session)
        else { return nil }
        return JournalEntry(
            id: ids.make(at: now),
            kind: kind,
            merchant: nil,
            cause: .resolution(found.id, number),
            at: now,
            postings: [posting]
        )
    }

    /// Whether the money is ours at the PSP: of a payment that it settles with the merchant, only commission is.
    private static func passesClearing(_ difference: Break, in session: any Session) throws(SQLError) -> Bool {
        guard let payment = difference.payment, let account = difference.pspAccount,
            difference.type != .splitMismatch
        else { return true }
        guard let order = try OrderReader.load(OrderID(of: payment), in: session),
            let found = order.payments.first(where: { $0.id == payment })
        else { return true }
        return !found.attempts.contains { $0.route.pspAccount == account && $0.route.settlesTo == .merchant }
    }
}

/// Closing breaks as files come to count.
extension BreakTable {
    /// How many breaks are asked for by their keys at once.
    private static let keysPerStatement = 1000

    /// Closes what files that count explain by now, and a run did not find again: expectations that were met, lines that
    /// belong to a payment, or of which another break says what they differ by, payouts that arrived.
    ///
    /// What had been accepted is posted back, for the money is there.
    ///
    /// - Returns: the entries posted.
    static func closeExplained(
        _ run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        if PlantedBug.breakUnclosed.isPlanted { return [] }
        let reasons: [(SQL, String)] = [
            ("(\(expectationIsMet) OR \(lineIsMatched) OR \(payoutArrived))", "explained by a later file"),
            (payoutFailed, "the payout failed"),
            (lineDiffers(in: run), "another break says what the line differs by now"),
        ]
        var entries: [EntryID] = []
        for (condition, reason) in reasons {
            let explained = try breaks(
                """
                marketplace = \(marketplace) AND state IN ('open', 'investigating', 'written_off', 'forced')
                    AND seen_in <> \(run.id) AND \(condition) ORDER BY id \(unsafeText: session.dialect.lock)
                """,
                in: session
            )
            entries += try close(explained, as: .matched, because: reason, at: now, ids: &ids, in: session)
        }
        return entries
    }

    /// Closes what was said of commissions while nobody knew what they are of, which are compared with that now: another
    /// break, maybe of several of them, says by how much they differ.
    ///
    /// - Returns: the entries posted.
    static func closeCompared(
        _ commissions: [ImportPlace],
        _ run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        let isUncompared: SQL = "subject_id IS NULL AND type IN ('missing_in_ours', 'split_mismatch')"
        let reason = "explained by a later file"
        var entries: [EntryID] = []
        for line in commissions {
            let explained = try breaks(of: line, isUncompared, notSeenIn: run, of: marketplace, in: session)
            entries += try close(explained, as: .matched, because: reason, at: now, ids: &ids, in: session)
        }
        return entries
    }

    /// Closes what was said of lines that another line takes back: together they are nothing, and a run says so no more.
    ///
    /// The lines stay open, so that what is said of one is found again if the other one's file comes to count no more.
    ///
    /// - Returns: the entries posted.
    static func closeCanceled(
        _ lines: [ImportPlace],
        _ run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        let isOfLine: SQL = "type IN (\(unsafeText: typesOfLines))"
        let reason = "another line takes it back"
        var entries: [EntryID] = []
        for line in try open(lines, of: marketplace, in: session) {
            let explained = try breaks(of: line, isOfLine, notSeenIn: run, of: marketplace, in: session)
            entries += try close(explained, as: .matched, because: reason, at: now, ids: &ids, in: session)
        }
        return entries
    }

    /// Of lines those that a break is about which is not closed: most have none, and are not asked for one by one.
    private static func open(
        _ lines: [ImportPlace],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [ImportPlace] {
        var open: Set<ImportPlace> = []
        for (file, places) in Dictionary(grouping: lines, by: \.file).sorted(by: { $0.key < $1.key }) {
            var rest = Set(places.map { Int64($0.row) }).sorted()[...]
            while !rest.isEmpty {
                let page = rest.prefix(keysPerStatement).map(\.sqlValue)
                rest = rest.dropFirst(keysPerStatement)
                let rows = try session.rows(
                    """
                    SELECT import_id, member, line FROM recon_break
                    WHERE import_id = \(file) AND line IN (\(list: page)) AND marketplace = \(marketplace)
                        AND state IN ('open', 'investigating', 'written_off', 'forced')
                    """
                )
                for row in rows { open.insert(try row.place()) }
            }
        }
        return lines.filter { open.contains($0) }
    }

    /// Closes what was said of batches whose lines and payouts agree, now that files have all of them.
    ///
    /// - Returns: the entries posted.
    static func closeAgreed(
        _ keys: [String],
        _ run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        if PlantedBug.breakUnclosed.isPlanted { return [] }
        let reason = "explained by a later file"
        var (entries, rest): ([EntryID], ArraySlice<String>) = ([], keys.sorted()[...])
        while !rest.isEmpty {
            let page = Array(rest.prefix(keysPerStatement))
            rest = rest.dropFirst(keysPerStatement)
            let found = try find(keys: page, of: marketplace, isLocked: true, in: session).filter { stored in
                [.open, .investigating, .writtenOff, .forced].contains(stored.state)
            }
            entries += try close(found, as: .matched, because: reason, at: now, ids: &ids, in: session)
        }
        return entries
    }

    /// The breaks of a line, as far as they are not closed and a run did not find them again.
    private static func breaks(
        of line: ImportPlace,
        _ condition: SQL,
        notSeenIn run: BreakRun,
        of marketplace: String,
        in session: any Session
    ) throws -> [StoredBreak] {
        if PlantedBug.breakUnclosed.isPlanted { return [] }
        return try breaks(
            """
            import_id = \(line.file) AND member = \(line.member) AND line = \(line.row) AND marketplace = \(marketplace)
                AND \(condition) AND seen_in <> \(run.id) AND state IN ('open', 'investigating', 'written_off', 'forced')
            ORDER BY id \(unsafeText: session.dialect.lock)
            """,
            in: session
        )
    }

    /// Closes the breaks of a file that was superseded, as far as a run did not find them again.
    ///
    /// - Returns: the entries posted.
    static func closeCorrected(
        _ file: ImportID,
        _ run: BreakRun,
        by successor: ImportedFile,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        let gone = try breaks(
            """
            import_id = \(file) AND state IN ('open', 'investigating', 'written_off', 'forced')
                AND seen_in <> \(run.id) ORDER BY id \(unsafeText: session.dialect.lock)
            """,
            in: session
        )
        let reason = "the file was superseded by \(successor.id)"
        return try close(gone, as: .corrected, because: reason, at: now, ids: &ids, in: session)
    }

    private static func close(
        _ breaks: [StoredBreak],
        as state: BreakState,
        because reason: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> [EntryID] {
        let decision = try BreakDecision(state, by: BreakDecision.reconciliation, because: reason)
        var entries: [EntryID] = []
        for found in breaks { entries += try move(found, decision, at: now, ids: &ids, in: session) }
        return entries
    }

    /// An expectation without lines has one now, and they agree; of what several lines confirm nothing says which of them it was
    /// (``closeUnseen(_:pspAccount:days:_:of:at:ids:in:)`` closes those).
    private static var expectationIsMet: SQL {
        """
        (type IN ('late', 'missing_at_psp') AND NOT (\(SubjectColumns.isRepeated("recon_break"))) AND EXISTS (SELECT 1 FROM line_match AS m
            JOIN import_file AS f ON f.id = m.import_id WHERE m.subject_id = recon_break.subject_id
            AND m.subject_kind = recon_break.subject_kind AND m.is_exact = 1 AND f.state = 'done'))
        """
    }

    /// A line that nobody knew, or that differed, is matched to the unit now.
    private static var lineIsMatched: SQL {
        """
        (type IN (\(unsafeText: typesOfLines)) AND import_id IS NOT NULL
            AND EXISTS (SELECT 1 FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
            WHERE m.import_id = recon_break.import_id AND m.member = recon_break.member AND m.line = recon_break.line
            AND m.is_exact = 1 AND f.state = 'done'))
        """
    }

    /// Something else is said of the line now, which says all: one that nobody knew is compared with what is known by now, or
    /// what it was compared with is met by another line, or with another one.
    private static func lineDiffers(in run: BreakRun) -> SQL {
        """
        (type IN (\(unsafeText: typesOfLines)) AND import_id IS NOT NULL
            AND EXISTS (SELECT 1 FROM recon_break AS b WHERE b.import_id = recon_break.import_id
            AND b.member = recon_break.member AND b.line = recon_break.line AND b.id <> recon_break.id
            AND b.seen_in = \(run.id) AND b.type IN (\(unsafeText: typesOfLines))))
        """
    }

    /// The types of breaks of which a line has one: each says all that it differs by.
    private static let typesOfLines = """
        'missing_in_ours', 'refund_without_origin', 'status_mismatch', 'duplicate_line', 'amount_mismatch', \
        'currency_mismatch', 'direction_mismatch', 'rounding_residue', 'split_mismatch'
        """

    /// A payout is at the bank now: the line that tells of it, which is the break's first one, or the payout that its key names;
    /// or the entry of the bank that is the break's first line is a payout now.
    private static var payoutArrived: SQL {
        """
        (type = 'payout_mismatch' AND (EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS f ON f.id = m.bank_import
                WHERE m.payout_import = recon_break.import_id AND m.payout_member = recon_break.member
                AND m.payout_line = recon_break.line AND f.state = 'done')
            OR EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS f ON f.id = m.bank_import
                WHERE m.bank_import = recon_break.import_id AND m.bank_member = recon_break.member
                AND m.bank_line = recon_break.line AND f.state = 'done')
            OR EXISTS (SELECT 1 FROM bank_match AS m JOIN import_file AS f ON f.id = m.bank_import
                WHERE m.payout_id = \(payoutOfKey) AND f.state = 'done')))
        """
    }

    /// A payout to a merchant that was missed at the bank failed: its money is back in the books.
    ///
    /// What the bank booked of one is left to a person.
    private static var payoutFailed: SQL {
        """
        (type = 'payout_mismatch' AND import_id IS NULL
            AND EXISTS (SELECT 1 FROM payout AS p WHERE p.id = \(payoutOfKey) AND p.state = 'failed'))
        """
    }

    /// The payout that the key of a break about one names, as `payout_mismatch/po_…/`; of a PSP's payout, a part of a name that
    /// no payout has.
    private static let payoutOfKey: SQL = "substr(recon_break.key, length('payout_mismatch/') + 1, 29)"
}
