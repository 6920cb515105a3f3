package import Domain
package import SQL

/// An event of a merchant token that somebody announced, which is to be fetched from Apple.
package struct MerchantTokenNotice: Hashable, Sendable {
    /// Where it stands.
    package enum State: String, Sendable, CaseIterable {
        /// It is to be fetched.
        case announced
        /// Every agreement with the token was told.
        case applied
        /// It tells nothing that changes an agreement.
        case ignored
        /// The marketplace has no agreement with the token.
        case unrelated
        /// Apple knows no such event, or not any more.
        case refused
        /// It could not be fetched as long as Apple keeps it.
        case givenUp = "given_up"
    }

    /// The merchant whose address it came to.
    package let merchant: MerchantID
    /// Apple's name of the event.
    package let event: String
    /// The marketplace.
    package let marketplace: String
    /// When it was first announced.
    package let announcedAt: Timestamp
    /// Where it stands.
    package let state: State
    /// What kind of event it is, in Apple's word; nil before it is fetched.
    package let type: String?
    /// How many times fetching it failed.
    package let failures: Int64
    /// Why it failed last.
    package let failure: String?
    /// Who has it in hand.
    package let holder: String?

    /// Its place among the events of a token.
    package var announcement: TokenAnnouncement { TokenAnnouncement(at: announcedAt, event: event) }

    fileprivate init(_ row: Row, holder: String? = nil) throws(SQLError) {
        merchant = try row.identifier("merchant")
        event = try row.text("event_id")
        marketplace = try row.text("marketplace")
        announcedAt = try row.time("announced_at")
        state = try row.word("state")
        type = try row.optionalText("type")
        failures = try row.integer("failures")
        failure = try row.optionalText("failure")
        let stored = try row.optionalText("leased_by")
        self.holder = holder ?? stored
    }
}

/// The announced events of merchant tokens: each once, leased by compare-and-set while it is fetched.
package enum MerchantTokenNoticeTable {
    /// How many of a merchant's wait to be fetched; at most `limit` are counted.
    ///
    /// - Throws: `SQLError`.
    package static func countWaiting(
        of merchant: MerchantID,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> Int {
        try session.rows(
            """
            SELECT event_id FROM merchant_token_notice WHERE merchant = \(merchant) AND due_at IS NOT NULL
            LIMIT \(Int64(limit))
            """
        ).count
    }

    /// Whether it is stored that an event could not be fetched as long as Apple keeps it.
    ///
    /// - Throws: `SQLError`.
    package static func hasGivenUp(
        _ event: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try !session.rows(
            """
            SELECT event_id FROM merchant_token_notice WHERE event_id = \(event) AND marketplace = \(marketplace)
                AND state = \(MerchantTokenNotice.State.givenUp.rawValue) LIMIT 1
            """
        ).isEmpty
    }

    /// Stores an announced event, and answers whether it is new.
    ///
    /// - Throws: `SQLError`.
    package static func insert(
        _ event: String,
        to merchant: MerchantID,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            INSERT INTO merchant_token_notice (merchant, event_id, marketplace, announced_at, state, due_at)
            VALUES (\(merchant), \(event), \(marketplace), \(now), 'announced', \(now))
            ON CONFLICT (merchant, event_id) DO NOTHING
            """
        ) == 1
    }

    /// The event of that name, as it stands.
    ///
    /// - Throws: `SQLError`.
    package static func find(
        _ event: String,
        to merchant: MerchantID,
        in session: any Session
    ) throws(SQLError) -> MerchantTokenNotice? {
        try session.rows(
            "SELECT * FROM merchant_token_notice WHERE merchant = \(merchant) AND event_id = \(event)"
        ).first.map { row throws(SQLError) in try MerchantTokenNotice(row) }
    }

    /// Whether an event is to be fetched that nobody has in hand.
    ///
    /// - Throws: `SQLError`.
    package static func isDue(at now: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        try !session.rows(
            """
            SELECT event_id FROM merchant_token_notice
            WHERE due_at <= \(now) AND COALESCE(leased_until, 0) <= \(now) LIMIT 1
            """
        ).isEmpty
    }

    /// Takes events in hand that are to be fetched and that nobody has in hand, the longest due first.
    ///
    /// - Parameters:
    ///   - holder: a name that no other claim has.
    ///   - now: the moment.
    ///   - until: when they are free again.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: what is to be fetched.
    /// - Throws: `SQLError`.
    package static func claim(
        as holder: String,
        at now: Timestamp,
        until: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [MerchantTokenNotice] {
        let rows = try session.rows(
            """
            SELECT * FROM merchant_token_notice WHERE due_at <= \(now) AND COALESCE(leased_until, 0) <= \(now)
            ORDER BY due_at, announced_at, event_id LIMIT \(Int64(limit))
            """
        )
        var claimed: [MerchantTokenNotice] = []
        for row in rows {
            let notice = try MerchantTokenNotice(row, holder: holder)
            let count = try session.change(
                """
                UPDATE merchant_token_notice SET leased_by = \(holder), leased_until = \(until)
                WHERE merchant = \(notice.merchant) AND event_id = \(notice.event) AND due_at <= \(now)
                    AND COALESCE(leased_until, 0) <= \(now)
                """
            )
            if count == 1 { claimed.append(notice) }
        }
        return claimed
    }

    /// Settles an event that is in hand; false if the claim had ended and somebody else may have it in hand.
    ///
    /// - Parameters:
    ///   - notice: the event, as it was claimed.
    ///   - state: what became of it.
    ///   - type: Apple's word for what it is, if it was fetched.
    ///   - now: the moment.
    ///   - session: the transaction.
    /// - Returns: whether it was in hand still.
    /// - Throws: `SQLError`.
    package static func settle(
        _ notice: MerchantTokenNotice,
        _ state: MerchantTokenNotice.State,
        type: String? = nil,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE merchant_token_notice SET state = \(state.rawValue), type = \(type), due_at = NULL,
                settled_at = \(now), leased_by = NULL, leased_until = NULL
            WHERE merchant = \(notice.merchant) AND event_id = \(notice.event) AND leased_by = \(notice.holder)
            """
        ) == 1
    }

    /// Puts off an event that is in hand and could not be fetched; false if the claim had ended.
    ///
    /// - Throws: `SQLError`.
    package static func postpone(
        _ notice: MerchantTokenNotice,
        until: Timestamp,
        because reason: String,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE merchant_token_notice SET due_at = \(until), failures = failures + 1, failure = \(reason),
                leased_by = NULL, leased_until = NULL
            WHERE merchant = \(notice.merchant) AND event_id = \(notice.event) AND leased_by = \(notice.holder)
            """
        ) == 1
    }

    /// The events of a marketplace, or of all, that stand so, the latest announced first, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func list(
        of marketplace: String?,
        in state: MerchantTokenNotice.State?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [MerchantTokenNotice] {
        var conditions: [SQL] = []
        if let marketplace { conditions.append("marketplace = \(marketplace)") }
        if let state { conditions.append("state = \(state.rawValue)") }
        return try session.rows(
            """
            SELECT * FROM merchant_token_notice WHERE \(SQL.all(conditions))
            ORDER BY announced_at DESC, event_id DESC LIMIT \(Int64(limit))
            """
        ).map { row throws(SQLError) in try MerchantTokenNotice(row) }
    }
}
