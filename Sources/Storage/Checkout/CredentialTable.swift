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

    /// Stores the credentials of attempts until `eraseAt` at the latest.
    package static func insert(
        _ sealed: [(AttemptID, Sealed)],
        eraseAt: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !sealed.isEmpty else { return }
        let rows: [[SQLValue]] = sealed.map { attempt, box in
            [
                attempt.sqlValue, box.keyID.sqlValue, box.bytes.sqlValue, eraseAt.sqlValue,
            ]
        }
        try session.run(
            "INSERT INTO credential (attempt_id, key_id, sealed, erase_at) VALUES \(rows: rows)"
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
}

/// The keys that credentials are sealed with: sealed with a key of the ring, made for a minute each, and destroyed in
/// such a way that no file of the database has them any more.
package enum CredentialKeyTable {
    /// A key as it is stored.
    package struct Key: Hashable, Sendable {
        /// Its identifier.
        package let id: CredentialKeyID
        /// The key, sealed for its identifier.
        package let sealed: CredentialTable.Sealed
        /// When it was made.
        package let createdAt: Timestamp

        /// Makes a key.
        package init(id: CredentialKeyID, sealed: CredentialTable.Sealed, createdAt: Timestamp) {
            self.id = id
            self.sealed = sealed
            self.createdAt = createdAt
        }
    }

    /// Stores keys that are not stored yet.
    package static func insert(_ keys: [Key], in session: any Session) throws(SQLError) {
        guard !keys.isEmpty else { return }
        let rows: [[SQLValue]] = keys.map { key in
            [key.id.sqlValue, key.sealed.keyID.sqlValue, key.sealed.bytes.sqlValue, key.createdAt.sqlValue]
        }
        try session.run(
            """
            INSERT INTO credential_key (id, key_id, sealed, created_at) VALUES \(rows: rows)
            ON CONFLICT (id) DO NOTHING
            """
        )
    }

    /// Every key, the oldest first.
    package static func all(in session: any Session) throws(SQLError) -> [Key] {
        try read(session.rows("SELECT id, key_id, sealed, created_at FROM credential_key ORDER BY id"))
    }

    /// The key with that identifier, if it is not destroyed.
    package static func find(_ id: CredentialKeyID, in session: any Session) throws(SQLError) -> Key? {
        try read(session.rows("SELECT id, key_id, sealed, created_at FROM credential_key WHERE id = \(id)")).first
    }

    /// Destroys the keys made before `time` that no credential is sealed with, and says whether there were any.
    ///
    /// On SQLite copies may stay in the log until `Database.scrub()`.
    package static func destroy(madeBefore time: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        let isPostgres = session.dialect == .postgres
        // Nobody adds a key between the look at what is there and the end of it.
        if isPostgres {
            // Whoever reads the table for long, as a backup does, must not make orders wait behind this.
            try session.run("SET LOCAL lock_timeout = '50ms'")
            try session.run("LOCK TABLE credential_key IN ACCESS EXCLUSIVE MODE")
        }
        let keys = try all(in: session)
        let used = try CredentialTable.keysInUse(in: session)
        let kept = keys.filter { $0.createdAt >= time || used.contains($0.id.text) }
        guard kept.count < keys.count else { return false }
        if isPostgres {
            // A deleted row would stay in the table's file; this begins a new one.
            try session.run("TRUNCATE credential_key")
            try insert(kept, in: session)
        } else {
            let gone = Set(keys).subtracting(kept).map(\.id.sqlValue)
            try session.run("DELETE FROM credential_key WHERE id IN (\(list: gone))")
        }
        return true
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Key] {
        var keys: [Key] = []
        for row in rows {
            keys.append(
                Key(
                    id: try row.identifier("id"),
                    sealed: CredentialTable.Sealed(keyID: try row.text("key_id"), bytes: try row.bytes("sealed")),
                    createdAt: try row.time("created_at")
                )
            )
        }
        return keys
    }
}
