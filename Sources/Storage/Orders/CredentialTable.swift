package import Domain
package import SQL

/// Credentials at rest: sealed, and erased as soon as they are needed no more.
package enum CredentialTable {
    /// A credential as it is stored.
    package struct Sealed: Hashable, Sendable {
        /// The key it is sealed with.
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
        guard let row = rows.first else { return nil }
        return Sealed(
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
