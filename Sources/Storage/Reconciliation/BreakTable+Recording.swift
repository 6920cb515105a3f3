package import Domain
package import SQL

/// What a run of reconciliation does to breaks by itself.
extension BreakTable {
    /// What became of the breaks that a run found.
    package struct Recorded: Hashable, Sendable {
        /// How many nobody had found before.
        package var opened = 0
        /// How many were there, and stay what they are.
        package var kept = 0
        /// How many had been resolved, and are there again or differ by something else.
        package var reopened = 0

        /// Makes counts.
        package init(opened: Int = 0, kept: Int = 0, reopened: Int = 0) {
            self.opened = opened
            self.kept = kept
            self.reopened = reopened
        }
    }

    /// Writes down breaks that a run found, any number of times with the same result.
    ///
    /// One with a known key is the same break: it keeps its identifier and state, and takes on what is known of it now.
    /// One that was closed because it was explained, and is found again, is open again; so is one that was accepted with
    /// another difference, which is posted back. What was accepted with this difference stays so.
    ///
    /// - Parameters:
    ///   - found: what differs.
    ///   - names: the identifiers of new breaks, by their keys; one that is not there gets one of `ids`.
    ///   - run: the run that found them.
    ///   - marketplace: the marketplace.
    ///   - now: when.
    ///   - ids: where identifiers come from.
    ///   - session: the transaction.
    /// - Returns: what became of them.
    /// - Throws: `SQLError`.
    package static func record(
        _ found: [Break],
        named names: [String: BreakID] = [:],
        _ run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> Recorded {
        var recorded = Recorded()
        guard !found.isEmpty else { return recorded }
        let files = try imports(of: found, marketplace, in: session)
        let known = Dictionary(
            uniqueKeysWithValues: try find(keys: found.map(\.key), of: marketplace, isLocked: true, in: session)
                .map { ($0.difference.key, $0) }
        )
        var rows: [[SQLValue]] = []
        for difference in found {
            let place = difference.lines.first
            let file = place.flatMap { files[$0.file] }
            guard let stored = known[difference.key] else {
                let id = names[difference.key] ?? ids.make(at: now)
                rows.append(row(difference, file, run, marketplace, id: id, at: now))
                recorded.opened += 1
                continue
            }
            if let reason = reopening(stored, difference) {
                let decision = try BreakDecision(.open, by: BreakDecision.reconciliation, because: reason)
                _ = try move(stored, decision, at: now, ids: &ids, in: session)
                recorded.reopened += 1
            } else {
                recorded.kept += 1
            }
            try update(stored.id, difference, file, run, in: session)
        }
        try insert(rows, in: session)
        return recorded
    }

    /// Why a break that was resolved is open again; nil if it stays what it is.
    private static func reopening(_ stored: StoredBreak, _ found: Break) -> String? {
        let before = stored.difference
        let isSame = before.amount == found.amount && before.currency == found.currency
        return switch stored.state {
        case .open, .investigating: nil
        case .matched, .corrected: "found again"
        case .writtenOff, .forced: isSame ? nil : "found again with another difference"
        }
    }

    /// Closes breaks about expectations that a run, to which they should have been known, did not find.
    ///
    /// A run that looks back from an earlier day than the one that found them knows nothing of them.
    ///
    /// - Parameters:
    ///   - types: which: ``BreakType/late`` and ``BreakType/missingAtPSP`` as a rule.
    ///   - account: a PSP account of which everything was looked at.
    ///   - days: the days that were looked at, `YYYY-MM-DD`.
    ///   - run: the run, all of whose breaks are recorded.
    ///   - marketplace: the marketplace.
    ///   - now: when.
    ///   - ids: where identifiers of entries come from.
    ///   - session: the transaction.
    /// - Returns: how many were closed.
    /// - Throws: `SQLError`.
    package static func closeUnseen(
        _ types: Set<BreakType>,
        pspAccount account: String,
        days: ClosedRange<String>,
        _ run: BreakRun,
        of marketplace: String,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws -> Int {
        let unseen = try breaks(
            """
            marketplace = \(marketplace) AND state IN ('open', 'investigating', 'written_off', 'forced')
                AND type IN (\(list: types.map(\.rawValue).sorted().map(\.sqlValue))) AND psp_account = \(account)
                AND day >= \(days.lowerBound) AND day <= \(days.upperBound) AND seen_in <> \(run.id)
                AND as_of <= \(run.asOf) ORDER BY id \(unsafeText: session.dialect.lock)
            """,
            in: session
        )
        let decision = try BreakDecision(.matched, by: BreakDecision.reconciliation, because: "not found again")
        for found in unseen { _ = try move(found, decision, at: now, ids: &ids, in: session) }
        return unseen.count
    }

    /// The imports that count or are being taken in, by the SHA-256 of the files that breaks are about.
    private static func imports(
        of found: [Break],
        _ marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [String: ImportID] {
        let files = Set(found.compactMap { $0.lines.first?.file }).sorted().map(\.sqlValue)
        guard !files.isEmpty else { return [:] }
        var imports: [String: ImportID] = [:]
        let known = try ImportTable.files(
            "marketplace = \(marketplace) AND sha256 IN (\(list: files)) AND state <> 'superseded'",
            in: session
        )
        for file in known { imports[file.sha256] = file.id }
        return imports
    }

    private static func update(
        _ id: BreakID,
        _ found: Break,
        _ file: ImportID?,
        _ run: BreakRun,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE recon_break SET currency = \(found.currency?.code), amount = \(found.amount), day = \(found.day),
                places = \(BreakPlaces.text(found.lines)), explanation = \(found.explanation),
                suggestion = \(found.suggestion), import_id = \(file),
                member = \(file == nil ? nil : found.lines.first?.member),
                line = \(file == nil ? nil : found.lines.first?.row), as_of = \(run.asOf), seen_in = \(run.id)
            WHERE id = \(id)
            """
        )
    }

    private static func insert(_ rows: [[SQLValue]], in session: any Session) throws(SQLError) {
        try BulkInsert.run(
            rows,
            """
            INSERT INTO recon_break (id, marketplace, key, type, currency, amount, day, psp, psp_account, merchant,
                order_id, payment_id, subject_kind, subject_id, places, explanation, suggestion, state, opened_at,
                as_of, import_id, member, line, seen_in, actions)
            """,
            in: session
        )
    }

    private static func row(
        _ found: Break,
        _ file: ImportID?,
        _ run: BreakRun,
        _ marketplace: String,
        id: BreakID,
        at now: Timestamp
    ) -> [SQLValue] {
        let (kind, subject) = found.subject.map(SubjectColumns.values) ?? (.null, .null)
        let place = file == nil ? nil : found.lines.first
        return [
            id.sqlValue, marketplace.sqlValue, found.key.sqlValue, found.type.rawValue.sqlValue,
            (found.currency?.code).sqlValue, found.amount.sqlValue, found.day.sqlValue, found.psp.sqlValue,
            found.pspAccount.sqlValue, found.merchant.sqlValue, found.order.sqlValue, found.payment.sqlValue, kind,
            subject, BreakPlaces.text(found.lines).sqlValue, found.explanation.sqlValue, found.suggestion.sqlValue,
            BreakState.open.rawValue.sqlValue, now.sqlValue, run.asOf.sqlValue, file.sqlValue,
            (place?.member).sqlValue, (place?.row).sqlValue, run.id.sqlValue, 0.sqlValue,
        ]
    }
}

/// One run of reconciliation, as breaks remember which run saw them last.
package struct BreakRun: Hashable, Sendable {
    /// What tells it from every other run.
    package let id: String
    /// The day that it looks back from, `YYYY-MM-DD`.
    package let asOf: String

    /// Names a run.
    package init(id: String, asOf: String) {
        self.id = id
        self.asOf = asOf
    }
}
