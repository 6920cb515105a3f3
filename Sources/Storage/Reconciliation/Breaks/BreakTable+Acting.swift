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
        let rows = try session.rows(
            """
            SELECT id FROM attempt WHERE payment_id = \(payment) AND psp_account = \(account)
                AND settles_to = 'merchant' LIMIT 1
            """
        )
        return rows.isEmpty
    }
}
