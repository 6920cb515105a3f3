package import Domain
package import SQL

/// What merchants were paid, each payout with its journal entries.
package enum PayoutTable {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace; nil for all, which only operators on the machine may ask.
        package var marketplace: String?
        /// Who was paid.
        package var merchant: MerchantID?
        /// Whether they arrived, `paid` or `failed`.
        package var state: String?
        /// What was paid, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// What the bank or the PSP calls them.
        package var reference: String?
        /// When they were recorded.
        package var created = CreationRange()
        /// Only payouts before this one, for the next page.
        package var before: PayoutID?

        /// A filter that lets everything through.
        package init(marketplace: String?) { self.marketplace = marketplace }
    }

    /// Stores a new payout and posts it.
    ///
    /// - Parameters:
    ///   - payout: the payout.
    ///   - covers: what it was told to pay for, as JSON.
    ///   - entry: the journal entry's identifier.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; where another payout of the marketplace has the reference, `uniqueViolation`, which may
    ///   surface with the commit.
    package static func insert(
        _ payout: Payout,
        covers: String,
        entry: EntryID,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO payout (id, marketplace, merchant, currency, amount, paid_at, reference, origin, state,
                recorded_at, covers)
            VALUES (\(payout.id), \(payout.marketplace), \(payout.merchant), \(payout.amount.currency.code),
                \(payout.amount.minorUnits), \(payout.paidAt), \(payout.reference), \(payout.origin.rawValue),
                \(payout.state.name), \(payout.recordedAt), \(covers))
            """
        )
        try post(payout.entry(entry), of: payout, in: session)
    }

    /// Stores that a payout has failed, and posts it back; the caller has locked its row.
    ///
    /// - Throws: `SQLError`.
    package static func fail(
        _ payout: Payout,
        _ failure: Payout.Failure,
        entry: EntryID,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE payout SET state = 'failed', failed_at = \(failure.at), failure = \(failure.reason)
            WHERE id = \(payout.id)
            """
        )
        try post(payout.reversal(entry, at: failure.at), of: payout, in: session)
    }

    /// What a payout was told to pay for, as JSON; nil if it was told to nobody.
    package static func covers(of id: PayoutID, in session: any Session) throws(SQLError) -> String? {
        try session.rows("SELECT covers FROM payout WHERE id = \(id)").first?.optionalText("covers")
    }

    /// The payout of a marketplace with a reference.
    package static func find(
        reference: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Payout? {
        let rows = try session.rows(
            "SELECT * FROM payout WHERE marketplace = \(marketplace) AND reference = \(reference)"
        )
        return try rows.first.map { row throws(SQLError) in try read(row) }
    }

    /// The payout with that id, its row locked until the transaction ends.
    package static func lock(
        _ id: PayoutID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Payout? {
        let rows = try session.rows(
            """
            SELECT * FROM payout WHERE id = \(id) AND marketplace = \(marketplace)
            \(unsafeText: session.dialect.lock)
            """
        )
        return try rows.first.map { row throws(SQLError) in try read(row) }
    }

    /// The payouts that pass the filter, newest first, at most `limit`.
    package static func list(_ filter: Filter, limit: Int, in session: any Session) throws(SQLError) -> [Payout] {
        var conditions =
            filter.created.bounds(on: "id", PayoutID.self) + filter.created.conditions(on: "recorded_at")
        if let marketplace = filter.marketplace { conditions.append("marketplace = \(marketplace)") }
        if let merchant = filter.merchant { conditions.append("merchant = \(merchant)") }
        if let state = filter.state { conditions.append("state = \(state)") }
        if let amount = filter.amount { conditions.append("amount = \(amount)") }
        if let currency = filter.currency { conditions.append("currency = \(currency.code)") }
        if let reference = filter.reference { conditions.append("reference = \(reference)") }
        if let before = filter.before { conditions.append("id < \(before)") }
        return try payouts("\(SQL.all(conditions)) ORDER BY id DESC LIMIT \(limit)", in: session)
    }

    /// The payout with that id, if the marketplace has it.
    package static func find(
        _ id: PayoutID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Payout? {
        try payouts("id = \(id) AND marketplace = \(marketplace)", in: session).first
    }

    /// What payouts were told to pay for, as JSON; without those that were told to nobody.
    package static func covers(of ids: [PayoutID], in session: any Session) throws(SQLError) -> [PayoutID: String] {
        var covers: [PayoutID: String] = [:]
        for row in try session.rows("SELECT id, covers FROM payout WHERE id IN (\(list: ids.map(\.sqlValue)))") {
            covers[try row.identifier("id")] = try row.optionalText("covers")
        }
        return covers
    }

    /// The payouts that satisfy a condition.
    static func payouts(_ condition: SQL, in session: any Session) throws(SQLError) -> [Payout] {
        var payouts: [Payout] = []
        for row in try session.rows("SELECT * FROM payout WHERE \(condition)") { payouts.append(try read(row)) }
        return payouts
    }

    private static func post(_ entry: JournalEntry, of payout: Payout, in session: any Session) throws(SQLError) {
        try JournalRows.insert(
            [entry],
            of: nil,
            marketplace: payout.marketplace,
            currency: payout.amount.currency,
            in: session
        )
    }

    private static func read(_ row: Row) throws(SQLError) -> Payout {
        Payout(
            id: try row.identifier("id"),
            marketplace: try row.text("marketplace"),
            merchant: try row.identifier("merchant"),
            amount: try row.money("amount", in: try row.currency("currency")),
            paidAt: try row.time("paid_at"),
            reference: try row.text("reference"),
            origin: try row.word("origin"),
            recordedAt: try row.time("recorded_at"),
            state: try state(row)
        )
    }

    private static func state(_ row: Row) throws(SQLError) -> Payout.State {
        guard let at = try row.optionalTime("failed_at") else { return .paid }
        return .failed(Payout.Failure(stored: try row.text("failure"), at: at))
    }
}
