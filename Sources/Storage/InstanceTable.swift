package import Domain
package import SQL

/// The instances that serve, and their heartbeats.
package enum InstanceTable {
    /// Rows of instances that died are kept for so long: longer than any lease.
    private static let keepMilliseconds: Int64 = 86_400_000

    /// Writes down that an instance lives, and that nobody takes it for dead any more.
    ///
    /// - Parameters:
    ///   - name: the instance.
    ///   - started: when it began.
    ///   - now: the moment.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func beat(
        _ name: String,
        startedAt started: Timestamp,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO instance (name, started_at, heartbeat_at) VALUES (\(name), \(started), \(now))
            ON CONFLICT (name) DO UPDATE SET heartbeat_at = excluded.heartbeat_at, taken_at = NULL
            """
        )
    }

    /// The instances whose last heartbeat is from before `limit`, and whose work nobody has taken yet.
    ///
    /// - Throws: `SQLError`.
    package static func silent(since limit: Timestamp, in session: any Session) throws(SQLError) -> [String] {
        let rows = try session.rows(
            "SELECT name FROM instance WHERE heartbeat_at < \(limit) AND taken_at IS NULL ORDER BY name"
        )
        return try rows.map { row throws(SQLError) in try row.text("name") }
    }

    /// The instances whose last heartbeat is from `limit` or later.
    ///
    /// - Throws: `SQLError`.
    package static func living(since limit: Timestamp, in session: any Session) throws(SQLError) -> [String] {
        let rows = try session.rows("SELECT name FROM instance WHERE heartbeat_at >= \(limit) ORDER BY name")
        return try rows.map { row throws(SQLError) in try row.text("name") }
    }

    /// The instances that somebody took for dead.
    ///
    /// - Throws: `SQLError`.
    package static func dead(in session: any Session) throws(SQLError) -> Set<String> {
        let rows = try session.rows("SELECT name FROM instance WHERE taken_at IS NOT NULL")
        return Set(try rows.map { row throws(SQLError) in try row.text("name") })
    }

    /// Takes an instance for dead: every order that anybody has in hand is looked at now, and the endpoints of callbacks
    /// that it had in hand are free.
    ///
    /// Which orders it had in hand stands in the orders; who looks at one in vain puts right when it wants to be looked at.
    ///
    /// - Parameters:
    ///   - name: the instance.
    ///   - limit: its last heartbeat has to be from before this.
    ///   - now: the moment.
    ///   - session: the transaction.
    /// - Returns: whether it is; if not, it lives, or another instance did so already.
    /// - Throws: `SQLError`.
    package static func take(
        _ name: String,
        silentSince limit: Timestamp,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let taken = try session.change(
            """
            UPDATE instance SET taken_at = \(now)
            WHERE name = \(name) AND heartbeat_at < \(limit) AND taken_at IS NULL
            """
        )
        guard taken == 1 else { return false }
        let oldest = now.adding(milliseconds: -keepMilliseconds)
        try session.run("DELETE FROM instance WHERE heartbeat_at < \(oldest) AND taken_at IS NOT NULL")
        try CallbackQueue.release(of: name, in: session)
        try WorkTable.lookAtAllInHand(at: now, in: session)
        return true
    }

    /// Forgets every instance, for the one owner of an embedded database, before it serves.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func removeAll(in session: any Session) throws(SQLError) {
        try session.run("DELETE FROM instance")
    }

    /// Forgets an instance that has ended in good order and has nothing in hand.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func remove(_ name: String, in session: any Session) throws(SQLError) {
        try CallbackQueue.release(of: name, in: session)
        try session.run("DELETE FROM instance WHERE name = \(name)")
    }
}
