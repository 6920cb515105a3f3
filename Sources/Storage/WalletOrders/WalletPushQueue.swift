package import Domain
package import SQL

/// The pushes that devices are owed: who is due, who has them in hand, and what became of them.
///
/// A device is leased as a whole, by compare-and-set: one push tells of everything that it is owed, because the push names
/// no order, and no two instances push one device at once.
package enum WalletPushQueue {
    /// How many owed pushes one claim settles at most; more are settled by the next.
    private static let pushesPerClaim = 200

    /// A device in hand.
    package struct Claim: Hashable, Sendable {
        /// The order type, which is the topic.
        package let type: String
        /// The device.
        package let device: String
        /// The marketplace.
        package let marketplace: String
        /// Where it is pushed.
        package let pushToken: String
        /// How many pushes failed since the last one that was taken.
        package let failures: Int64
        /// Who has it in hand: a name that no other claim has.
        package let holder: String
        fileprivate let pushes: [(order: String, version: Int64)]

        /// Whether two claims are the same: no two have one holder.
        package static func == (one: Claim, other: Claim) -> Bool { one.holder == other.holder }

        /// Hashes the holder.
        package func hash(into hasher: inout Hasher) { hasher.combine(holder) }
    }

    /// A device that is due.
    package struct Due: Hashable, Sendable {
        /// The order type.
        package let type: String
        /// The device.
        package let device: String
    }

    /// What became of a push.
    package enum Outcome: Hashable, Sendable {
        /// It was taken; the next one may follow after a second.
        case delivered(status: Int64)
        /// It has to be tried again, then.
        case again(at: Timestamp, status: Int64?, reason: String)
        /// The token is no more, since a moment; a registration that is newer stays.
        case gone(since: Timestamp?)
    }

    /// Devices that are owed a push now, the longest due first, at most `limit`.
    package static func due(at now: Timestamp, limit: Int, in session: any Session) throws(SQLError) -> [Due] {
        try session.rows(
            """
            SELECT d.order_type, d.device FROM wallet_device d
            WHERE (d.order_type, d.device) IN (SELECT order_type, device FROM wallet_push)
                AND d.push_at <= \(now) AND COALESCE(d.leased_until, 0) <= \(now)
            ORDER BY d.push_at, d.device LIMIT \(limit)
            """
        ).map { row throws(SQLError) in Due(type: try row.text("order_type"), device: try row.text("device")) }
    }

    /// Takes a device in hand, with what it is owed.
    ///
    /// - Parameters:
    ///   - due: the device.
    ///   - holder: a name that no other claim has.
    ///   - now: the real time.
    ///   - until: when the claim ends by itself.
    ///   - session: the transaction.
    /// - Returns: nil if somebody else has it in hand, or it is owed nothing now.
    /// - Throws: `SQLError`.
    package static func claim(
        _ due: Due,
        as holder: String,
        at now: Timestamp,
        until: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Claim? {
        let isTaken = try session.change(
            """
            UPDATE wallet_device SET leased_by = \(holder), leased_until = \(until)
            WHERE order_type = \(due.type) AND device = \(due.device) AND push_at <= \(now)
                AND COALESCE(leased_until, 0) <= \(now)
            """
        )
        guard isTaken == 1 else { return nil }
        let (devices, pushes) = try session.rows(
            "SELECT * FROM wallet_device WHERE order_type = \(due.type) AND device = \(due.device)",
            """
            SELECT wallet_order, version FROM wallet_push WHERE order_type = \(due.type) AND device = \(due.device)
            ORDER BY wallet_order, version LIMIT \(pushesPerClaim)
            """
        )
        guard let device = devices.first, !pushes.isEmpty else {
            try session.run(release(due, holder))
            return nil
        }
        return Claim(
            type: due.type,
            device: due.device,
            marketplace: try device.text("marketplace"),
            pushToken: try device.text("push_token"),
            failures: try device.integer("failures"),
            holder: holder,
            pushes: try pushes.map { row throws(SQLError) in
                (order: try row.text("wallet_order"), version: try row.integer("version"))
            }
        )
    }

    /// Lets go of a device, with what became of its push; false if the claim had ended and somebody else may have it in hand.
    package static func finish(
        _ claim: Claim,
        _ outcome: Outcome,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let changes: SQL
        switch outcome {
        case .delivered(let status):
            changes = """
                push_at = \(now.adding(milliseconds: 1000)), failures = 0, last_status = \(status), last_error = NULL,
                last_pushed_at = \(now)
                """
        case .again(let next, let status, let reason):
            changes = """
                push_at = \(next), failures = failures + 1, last_status = \(status), last_error = \(reason)
                """
        case .gone(let since): return try forget(claim, since: since, in: session)
        }
        let isOurs = try session.change(
            """
            UPDATE wallet_device SET leased_by = NULL, leased_until = NULL, \(changes)
            WHERE order_type = \(claim.type) AND device = \(claim.device) AND leased_by = \(claim.holder)
            """
        )
        guard isOurs == 1 else { return false }
        if case .delivered = outcome {
            let rows: [[SQLValue]] = claim.pushes.map { [$0.order.sqlValue, $0.version.sqlValue] }
            try session.run(
                """
                WITH told (wallet_order, version) AS (VALUES \(rows: rows))
                DELETE FROM wallet_push WHERE order_type = \(claim.type) AND device = \(claim.device)
                    AND EXISTS (SELECT 1 FROM told WHERE told.wallet_order = wallet_push.wallet_order
                        AND CAST(told.version AS \(unsafeText: session.dialect.integerType)) = wallet_push.version)
                """
            )
        }
        return true
    }

    /// Forgets a device whose token is no more, with its registrations, unless it has registered anew meanwhile.
    private static func forget(
        _ claim: Claim,
        since: Timestamp?,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let isOld: SQL = since.map { "registered_at <= \($0)" } ?? "1 = 1"
        let isGone = try session.change(
            """
            DELETE FROM wallet_device WHERE order_type = \(claim.type) AND device = \(claim.device)
                AND leased_by = \(claim.holder) AND push_token = \(claim.pushToken) AND \(isOld)
            """
        )
        guard isGone == 0 else { return true }
        return try session.change(release(Due(type: claim.type, device: claim.device), claim.holder)) == 1
    }

    private static func release(_ due: Due, _ holder: String) -> SQL {
        """
        UPDATE wallet_device SET leased_by = NULL, leased_until = NULL
        WHERE order_type = \(due.type) AND device = \(due.device) AND leased_by = \(holder)
        """
    }

    /// Writes down that every device which follows an order is to be pushed, though nothing changed; answers how many.
    package static func push(_ order: OrderID, at now: Timestamp, in session: any Session) throws(SQLError) -> Int {
        try session.change(
            """
            INSERT INTO wallet_push (order_type, device, wallet_order, version, created_at)
            SELECT r.order_type, r.device, w.id, w.version,
                CAST(\(now) AS \(unsafeText: session.dialect.integerType))
            FROM wallet_order w JOIN wallet_registration r ON r.wallet_order = w.id WHERE w.order_id = \(order)
            \(unsafeText: session.dialect.keep("r"))
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Ends every claim: for the one owner of an embedded database, who knows that nobody has anything in hand.
    package static func releaseAll(in session: any Session) throws(SQLError) {
        try session.run(
            "UPDATE wallet_device SET leased_by = NULL, leased_until = NULL WHERE leased_by IS NOT NULL"
        )
    }
}
