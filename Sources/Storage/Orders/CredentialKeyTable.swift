package import Domain
package import SQL

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
