package import Domain
package import SQL

/// Credentials at rest: sealed, and erased as soon as they are needed no more.
package enum CredentialTable {
    /// A credential as it is stored.
    package struct Sealed: Hashable, Sendable {
        /// The key it is sealed with: one of ``CredentialKeyTable``, or of the ring.
        package let keyID: String
        /// The sealed bytes.
        package let bytes: [UInt8]
        /// The attempt that it was sealed for, if another one uses it now.
        package let sealedFor: AttemptID?

        /// Makes a sealed credential.
        package init(keyID: String, bytes: [UInt8], sealedFor: AttemptID? = nil) {
            self.keyID = keyID
            self.bytes = bytes
            self.sealedFor = sealedFor
        }
    }

    /// Stores the credentials of an order's attempts until `eraseAt` at the latest.
    package static func insert(
        _ sealed: [(AttemptID, Sealed)],
        of order: OrderID,
        eraseAt: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !sealed.isEmpty else { return }
        let rows: [[SQLValue]] = sealed.map { attempt, box in
            [
                attempt.sqlValue, order.sqlValue, box.keyID.sqlValue, box.bytes.sqlValue, eraseAt.sqlValue,
            ]
        }
        try session.run(
            "INSERT INTO credential (attempt_id, order_id, key_id, sealed, erase_at) VALUES \(rows: rows)"
        )
    }

    /// The credential of an attempt, if it is still there.
    package static func find(_ attempt: AttemptID, in session: any Session) throws(SQLError) -> Sealed? {
        let rows = try session.rows("SELECT key_id, sealed, sealed_for FROM credential WHERE attempt_id = \(attempt)")
        return try rows.first.map { row throws(SQLError) in try read(row) }
    }

    /// The identifiers of the keys that credentials are sealed with now.
    package static func keysInUse(in session: any Session) throws(SQLError) -> Set<String> {
        var keys: Set<String> = []
        for row in try session.rows("SELECT DISTINCT key_id FROM credential") { keys.insert(try row.text("key_id")) }
        return keys
    }

    private static func read(_ row: Row) throws(SQLError) -> Sealed {
        Sealed(
            keyID: try row.text("key_id"),
            bytes: try row.bytes("sealed"),
            sealedFor: try row.optionalIdentifier("sealed_for")
        )
    }

    /// Has credentials pay for other attempts from now on.
    package static func move(_ moves: [CredentialMove], in session: any Session) throws(SQLError) {
        for move in moves {
            try session.run(
                """
                UPDATE credential SET attempt_id = \(move.to), sealed_for = COALESCE(sealed_for, attempt_id)
                WHERE attempt_id = \(move.from)
                """
            )
        }
    }

    /// A page of the credentials sealed with a key, by attempt, behind `attempt`.
    package static func list(
        sealedWith key: CredentialKeyID,
        after attempt: AttemptID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [(attempt: AttemptID, sealed: Sealed)] {
        let rows = try session.rows(
            """
            SELECT attempt_id, key_id, sealed, sealed_for FROM credential
            WHERE key_id = \(key) AND attempt_id > \(attempt?.text ?? "") ORDER BY attempt_id LIMIT \(Int64(limit))
            """
        )
        var found: [(AttemptID, Sealed)] = []
        for row in rows { found.append((try row.identifier("attempt_id"), try read(row))) }
        return found
    }

    /// Puts a credential that was sealed anew in the place of what is still sealed with `key`.
    package static func replace(
        _ attempt: AttemptID,
        sealedWith key: CredentialKeyID,
        by sealed: Sealed,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE credential SET key_id = \(sealed.keyID), sealed = \(sealed.bytes)
            WHERE attempt_id = \(attempt) AND key_id = \(key)
            """
        )
    }

    /// Erases the credentials of these attempts.
    package static func erase(_ attempts: [AttemptID], in session: any Session) throws(SQLError) {
        guard !attempts.isEmpty else { return }
        try session.run("DELETE FROM credential WHERE attempt_id IN (\(list: attempts.map(\.sqlValue)))")
    }

    /// Erases what is past its time.
    package static func eraseExpired(at now: Timestamp, in session: any Session) throws(SQLError) {
        try session.run("DELETE FROM credential WHERE erase_at <= \(now)")
    }
}
