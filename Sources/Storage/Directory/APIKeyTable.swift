package import Domain
package import SQL

/// API keys, as hashes.
package enum APIKeyTable {
    /// A key without its secret.
    package struct Key: Hashable, Sendable {
        /// Its identifier.
        package let id: KeyID
        /// The marketplace it opens.
        package let marketplace: String
        /// What it may do: `checkout`, `support`, `operator`, `adjuster`, `admin`, `publishable`,
        /// `merchant:<id of the merchant>`.
        package let scopes: Set<String>
        /// When it was made.
        package let createdAt: Timestamp
        /// When it ends by itself.
        package let expiresAt: Timestamp?
        /// When it was revoked.
        package let revokedAt: Timestamp?
        /// When it was last used, to the hour.
        package let lastUsedAt: Timestamp?
        /// The version of the API that it is answered in, unless a request asks for another; nil for the newest.
        package let apiVersion: String?
        /// The idempotency key of the request that made it; nil for a key that was made on the command line.
        package let idempotencyKey: String?

        /// Whether it opens anything at a moment: it is neither revoked nor past its end.
        package func isValid(at now: Timestamp) -> Bool {
            revokedAt == nil && expiresAt.map { now < $0 } ?? true
        }

        /// Makes a key.
        package init(
            id: KeyID,
            marketplace: String,
            scopes: Set<String>,
            createdAt: Timestamp,
            expiresAt: Timestamp? = nil,
            revokedAt: Timestamp? = nil,
            lastUsedAt: Timestamp? = nil,
            apiVersion: String? = nil,
            idempotencyKey: String? = nil
        ) {
            self.id = id
            self.marketplace = marketplace
            self.scopes = scopes
            self.createdAt = createdAt
            self.expiresAt = expiresAt
            self.revokedAt = revokedAt
            self.lastUsedAt = lastUsedAt
            self.apiVersion = apiVersion
            self.idempotencyKey = idempotencyKey
        }
    }

    /// Stores a key under its hash.
    ///
    /// - Throws: `SQLError.uniqueViolation` if a key was made under the same idempotency key.
    package static func insert(_ key: Key, hash: String, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO api_key (id, marketplace, hash, scopes, created_at, expires_at, api_version, idempotency_key)
            VALUES (\(key.id), \(key.marketplace), \(hash), \(key.scopes.sorted().joined(separator: ",")),
                \(key.createdAt), \(key.expiresAt), \(key.apiVersion), \(key.idempotencyKey))
            """
        )
    }

    /// The key with that hash, whether it is valid or not.
    package static func find(hash: String, in session: any Session) throws(SQLError) -> Key? {
        try read(session.rows("SELECT * FROM api_key WHERE hash = \(hash)")).first
    }

    /// Notes that a key is used, unless that was noted since `since`.
    package static func recordUse(
        of id: KeyID,
        at now: Timestamp,
        since: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE api_key SET last_used_at = \(now)
            WHERE id = \(id) AND (last_used_at IS NULL OR last_used_at < \(since))
            """
        )
    }

    /// All keys, the revoked ones too, oldest first.
    package static func all(in session: any Session) throws(SQLError) -> [Key] {
        try read(session.rows("SELECT * FROM api_key ORDER BY id"))
    }

    /// Keys of a marketplace, the revoked ones too, oldest first, behind the one with that identifier.
    package static func list(
        of marketplace: String,
        after cursor: KeyID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Key] {
        try read(
            session.rows(
                """
                SELECT * FROM api_key WHERE marketplace = \(marketplace) AND id > \(cursor?.text ?? "")
                ORDER BY id LIMIT \(limit)
                """
            )
        )
    }

    /// The key of a marketplace with that identifier.
    package static func find(
        _ id: KeyID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Key? {
        try read(session.rows("SELECT * FROM api_key WHERE id = \(id) AND marketplace = \(marketplace)")).first
    }

    /// The key that a marketplace's request with that idempotency key has made.
    package static func find(
        idempotencyKey: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Key? {
        try read(
            session.rows(
                "SELECT * FROM api_key WHERE marketplace = \(marketplace) AND idempotency_key = \(idempotencyKey)"
            )
        ).first
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
                    expiresAt: try row.optionalTime("expires_at"),
                    revokedAt: try row.optionalTime("revoked_at"),
                    lastUsedAt: try row.optionalTime("last_used_at"),
                    apiVersion: try row.optionalText("api_version"),
                    idempotencyKey: try row.optionalText("idempotency_key")
                )
            )
        }
        return keys
    }
}
