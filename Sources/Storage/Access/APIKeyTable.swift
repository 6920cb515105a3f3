package import Domain
package import SQL

/// API keys, as keyed hashes.
package enum APIKeyTable {
    /// A key without its secret.
    package struct Key: Hashable, Sendable {
        /// Its identifier.
        package let id: KeyID
        /// The marketplace it opens.
        package let marketplace: String
        /// What it may do: `checkout`, `operator`, `merchant:<external identifier>`.
        package let scopes: Set<String>
        /// When it was made.
        package let createdAt: Timestamp
        /// When it was revoked.
        package let revokedAt: Timestamp?

        /// Makes a key.
        package init(
            id: KeyID,
            marketplace: String,
            scopes: Set<String>,
            createdAt: Timestamp,
            revokedAt: Timestamp? = nil
        ) {
            self.id = id
            self.marketplace = marketplace
            self.scopes = scopes
            self.createdAt = createdAt
            self.revokedAt = revokedAt
        }
    }

    /// Stores a key under its hash.
    package static func insert(_ key: Key, hash: String, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO api_key (id, marketplace, hash, scopes, created_at)
            VALUES (\(key.id), \(key.marketplace), \(hash), \(key.scopes.sorted().joined(separator: ",")),
                \(key.createdAt))
            """
        )
    }

    /// The key with one of these hashes, one under each key of the ring, unless it is revoked.
    package static func find(hashes: [String], in session: any Session) throws(SQLError) -> Key? {
        let list = hashes.map(\.sqlValue)
        return try read(
            session.rows("SELECT * FROM api_key WHERE hash IN (\(list: list)) AND revoked_at IS NULL")
        ).first
    }

    /// All keys, the revoked ones too, oldest first.
    package static func all(in session: any Session) throws(SQLError) -> [Key] {
        try read(session.rows("SELECT * FROM api_key ORDER BY id"))
    }

    /// Revokes a key and says whether there was one that was not revoked.
    package static func revoke(_ id: KeyID, at now: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        try session.change("UPDATE api_key SET revoked_at = \(now) WHERE id = \(id) AND revoked_at IS NULL") == 1
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Key] {
        var keys: [Key] = []
        for row in rows {
            keys.append(
                Key(
                    id: try row.identifier("id"),
                    marketplace: try row.text("marketplace"),
                    scopes: Set(try row.text("scopes").split(separator: ",").map(String.init)),
                    createdAt: try row.time("created_at"),
                    revokedAt: try row.optionalTime("revoked_at")
                )
            )
        }
        return keys
    }
}
