import Domain
import SQL

/// Closing breaks as files come to count.
extension BreakTable {
    /// Closes what files that count explain by now, and a run did not find again: expectations that were met, lines that
    /// belong to a payment, payouts that arrived.
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
        let explained = try breaks(
            """
            marketplace = \(marketplace) AND state IN ('open', 'investigating', 'written_off', 'forced')
                AND seen_in <> \(run.id) AND (\(expectationIsMet) OR \(lineIsMatched) OR \(payoutArrived)) ORDER BY id \(unsafeText: session.dialect.lock)
            """,
            in: session
        )
        return try close(explained, as: .matched, because: "explained by a later file", at: now, ids: &ids, in: session)
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

    /// An expectation without lines has one now, and they agree.
    private static var expectationIsMet: SQL {
        """
        (type IN ('late', 'missing_at_psp') AND EXISTS (SELECT 1 FROM line_match AS m
            JOIN import_file AS f ON f.id = m.import_id WHERE m.subject_id = recon_break.subject_id
            AND m.subject_kind = recon_break.subject_kind AND m.is_exact = 1 AND f.state = 'done'))
        """
    }

    /// A line that nobody knew is matched now.
    private static var lineIsMatched: SQL {
        """
        (type IN ('missing_in_ours', 'refund_without_origin', 'status_mismatch', 'duplicate_line', 'amount_mismatch',
                'currency_mismatch', 'direction_mismatch') AND import_id IS NOT NULL
            AND EXISTS (SELECT 1 FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
            WHERE m.import_id = recon_break.import_id AND m.member = recon_break.member AND m.line = recon_break.line
            AND m.is_exact = 1 AND f.state = 'done'))
        """
    }

    /// A payout line, the break's first one, is at the bank now.
    private static var payoutArrived: SQL {
        """
        (type = 'payout_mismatch' AND import_id IS NOT NULL AND EXISTS (SELECT 1 FROM bank_match AS m
            JOIN import_file AS f ON f.id = m.bank_import WHERE m.payout_import = recon_break.import_id
            AND m.payout_member = recon_break.member AND m.payout_line = recon_break.line AND f.state = 'done'))
        """
    }
}
