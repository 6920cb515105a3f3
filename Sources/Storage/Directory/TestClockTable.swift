package import Domain
package import SQL

/// The clocks of marketplaces: those of test marketplaces can be moved forward.
///
/// A step of an order reads the clock of its marketplace once it has locked the order, and locks no clock. Whoever moves
/// one first writes how far it is ahead now, and then wakes the marketplace's orders (``wake(_:at:limit:in:)``), a batch in
/// a transaction; it locks an order before it wakes it, so that a step that had read the clock before is over by then, and
/// whatever comes later reads the new one. How far it got is stored, so that somebody else goes on after a crash.
package enum TestClockTable {
    /// The clock of a marketplace; nil if there is no such marketplace.
    package static func clock(of marketplace: String, in session: any Session) throws(SQLError) -> MarketplaceClock? {
        try clocks(of: [marketplace], in: session)[marketplace]
    }

    /// The clocks of marketplaces, by their names.
    package static func clocks(
        of marketplaces: Set<String>,
        in session: any Session
    ) throws(SQLError) -> [String: MarketplaceClock] {
        guard !marketplaces.isEmpty else { return [:] }
        let names = marketplaces.sorted().map(\.sqlValue)
        var clocks: [String: MarketplaceClock] = [:]
        for row in try session.rows("SELECT id, clock_ahead FROM marketplace WHERE id IN (\(list: names))") {
            clocks[try row.text("id")] = try MarketplaceClock(row)
        }
        return clocks
    }

    /// The statement that ``MarketplaceClock/init(_:)`` needs the answer of, for one marketplace.
    package static func named(_ marketplace: String) -> SQL {
        "SELECT clock_ahead FROM marketplace WHERE id = \(marketplace)"
    }

    /// What was certainly written by now, by a marketplace's clock, if everything before `horizon` was.
    ///
    /// Who writes as the clock is moved may have read it before: until whoever did so has ended, it counts as not moved.
    package static func horizon(
        _ horizon: Timestamp,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Timestamp {
        let rows = try session.rows(
            "SELECT clock_ahead, clock_ahead_before, clock_moved_at FROM marketplace WHERE id = \(marketplace)"
        )
        guard let row = rows.first else { return horizon }
        let clock = try MarketplaceClock(row)
        guard let movedAt = try row.optionalTime("clock_moved_at") else { return clock.time(at: horizon) }
        let settledAt = movedAt.adding(milliseconds: marginMilliseconds)
        guard horizon <= settledAt else { return clock.time(at: horizon) }
        return MarketplaceClock(aheadMicroseconds: try row.integer("clock_ahead_before")).time(at: horizon)
    }

    /// How long moving a clock takes at most until it is committed, and what the clocks of instances differ by.
    private static let marginMilliseconds: Int64 = 2000

    /// Locks a marketplace's clock until the transaction ends, and answers it; nil if there is no such marketplace.
    package static func lock(_ marketplace: String, in session: any Session) throws(SQLError) -> MarketplaceClock? {
        try session.rows("\(named(marketplace)) \(unsafeText: session.dialect.lock)").first
            .map { row throws(SQLError) in try MarketplaceClock(row) }
    }

    /// Writes down that a clock was moved, and that orders are to be woken.
    ///
    /// - Parameters:
    ///   - clock: the clock from now on, later than the one that was locked in the same transaction.
    ///   - marketplace: whose.
    ///   - now: the real time.
    ///   - session: the transaction.
    /// - Throws: `SQLError`.
    package static func move(
        to clock: MarketplaceClock,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        // Moved again so soon, what it was before that counts: somebody may still write by it.
        let recent = now.adding(milliseconds: -5 * marginMilliseconds)
        try session.run(
            """
            UPDATE marketplace SET
                clock_ahead_before = CASE WHEN clock_moved_at > \(recent) THEN clock_ahead_before ELSE clock_ahead END,
                clock_ahead = \(clock.aheadMicroseconds), clock_moved_at = \(now), clock_sweep = ''
            WHERE id = \(marketplace) AND clock_ahead IS NOT NULL
            """
        )
    }

    /// The marketplaces whose clock was moved and whose orders were not all woken yet.
    package static func unfinished(in session: any Session) throws(SQLError) -> [String] {
        try session.rows("SELECT id FROM marketplace WHERE clock_sweep IS NOT NULL ORDER BY id")
            .map { row throws(SQLError) in try row.text("id") }
    }

    /// Wakes the next orders of a marketplace whose clock was moved: they are looked at now, by the clock as it is.
    ///
    /// - Parameters:
    ///   - marketplace: whose.
    ///   - now: the real time.
    ///   - limit: how many at most.
    ///   - session: a transaction that does nothing else.
    /// - Returns: whether there are more.
    /// - Throws: `SQLError`.
    package static func wake(
        _ marketplace: String,
        at now: Timestamp,
        limit: Int = 200,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let found = try session.rows(
            "SELECT clock_sweep FROM marketplace WHERE id = \(marketplace) \(unsafeText: session.dialect.lock)"
        )
        guard let place = try found.first?.optionalText("clock_sweep") else { return false }
        let rows = try session.rows(
            """
            SELECT order_id FROM work WHERE marketplace = \(marketplace) AND order_id > \(place)
            ORDER BY order_id LIMIT \(limit)
            """
        )
        let ids = try rows.map { row throws(SQLError) in try row.value("order_id") }
        if !ids.isEmpty {
            _ = try session.rows(
                "SELECT id FROM orders WHERE id IN (\(list: ids)) ORDER BY id \(unsafeText: session.dialect.lock)"
            )
            try session.run("UPDATE work SET at = \(now) WHERE order_id IN (\(list: ids)) AND at > \(now)")
        }
        let isMore = ids.count == limit
        let last = try isMore ? rows.last?.text("order_id") : nil
        try session.run("UPDATE marketplace SET clock_sweep = \(last) WHERE id = \(marketplace)")
        return isMore
    }
}

extension MarketplaceClock {
    /// Reads `clock_ahead`.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    package init(_ row: Row) throws(SQLError) {
        let ahead = try row.optionalInteger("clock_ahead")
        guard ahead.map({ $0 >= 0 }) ?? true else { throw .unexpectedValue(column: "clock_ahead") }
        self.init(aheadMicroseconds: ahead)
    }
}
