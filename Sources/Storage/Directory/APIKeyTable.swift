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
        /// What people call it; no other key of the marketplace is called so that is not revoked.
        package let name: String
        /// What it may do: `checkout`, `support`, `operator`, `adjuster`, `admin`, `publishable`,
        /// `merchant:<id of the merchant>`.
        package let scopes: Set<String>
        /// Where requests with it may come from; from anywhere if it is empty.
        package let networks: [NetworkRange]
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
        /// The mode of its marketplace.
        package let mode: MarketplaceMode

        /// Whether it opens anything at a moment: it is neither revoked nor past its end.
        package func isValid(at now: Timestamp) -> Bool {
            revokedAt == nil && expiresAt.map { now < $0 } ?? true
        }

        /// Whether it may be shown from an address, as the server saw it; nil for one that is not known.
        package func mayComeFrom(_ peer: String?) -> Bool {
            networks.isEmpty || peer.map { peer in networks.contains { $0.contains(peer) } } ?? false
        }

        /// Makes a key, which is called by its identifier unless it has a name.
        package init(
            id: KeyID,
            marketplace: String,
            name: String? = nil,
            scopes: Set<String>,
            networks: [NetworkRange] = [],
            createdAt: Timestamp,
            expiresAt: Timestamp? = nil,
            revokedAt: Timestamp? = nil,
            lastUsedAt: Timestamp? = nil,
            apiVersion: String? = nil,
            idempotencyKey: String? = nil,
            mode: MarketplaceMode = .test
        ) {
            self.id = id
            self.marketplace = marketplace
            self.name = name ?? id.text
            self.scopes = scopes
            self.networks = networks
            self.createdAt = createdAt
            self.expiresAt = expiresAt
            self.revokedAt = revokedAt
            self.lastUsedAt = lastUsedAt
            self.apiVersion = apiVersion
            self.idempotencyKey = idempotencyKey
            self.mode = mode
        }
    }

    /// Each key with its marketplace's clock, by which its mode is known.
    private static let keys: SQL =
        "SELECT k.*, m.clock_ahead AS clock_ahead FROM api_key AS k JOIN marketplace AS m ON m.id = k.marketplace"

    /// Stores a key under its hash.
    ///
    /// - Throws: `SQLError.uniqueViolation` if a key was made under the same idempotency key, or has the name and is not
    ///   revoked.
    package static func insert(_ key: Key, hash: String, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO api_key (id, marketplace, name, hash, scopes, networks, created_at, expires_at, api_version,
                idempotency_key)
            VALUES (\(key.id), \(key.marketplace), \(key.name), \(hash),
                \(key.scopes.sorted().joined(separator: ",")),
                \(key.networks.map(\.description).joined(separator: ",")), \(key.createdAt), \(key.expiresAt),
                \(key.apiVersion), \(key.idempotencyKey))
            """
        )
    }

    /// The key with that hash, whether it is valid or not.
    package static func find(hash: String, in session: any Session) throws(SQLError) -> Key? {
        try read(session.rows("\(keys) WHERE k.hash = \(hash)")).first
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
        try read(session.rows("\(keys) ORDER BY k.id"))
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
                \(keys) WHERE k.marketplace = \(marketplace) AND k.id > \(cursor?.text ?? "")
                ORDER BY k.id LIMIT \(limit)
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
        try read(session.rows("\(keys) WHERE k.id = \(id) AND k.marketplace = \(marketplace)")).first
    }

    /// The key of a marketplace that is called so and is not revoked.
    package static func find(
        named name: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Key? {
        try read(
            session.rows(
                "\(keys) WHERE k.marketplace = \(marketplace) AND k.name = \(name) AND k.revoked_at IS NULL"
            )
        ).first
    }

    /// The key with that identifier, whosever it is.
    package static func find(_ id: KeyID, in session: any Session) throws(SQLError) -> Key? {
        try read(session.rows("\(keys) WHERE k.id = \(id)")).first
    }

    /// The key that a marketplace's request with that idempotency key has made.
    package static func find(
        idempotencyKey: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Key? {
        try read(
            session.rows(
                "\(keys) WHERE k.marketplace = \(marketplace) AND k.idempotency_key = \(idempotencyKey)"
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
                    name: try row.text("name"),
                    scopes: Set(try row.text("scopes").split(separator: ",").map(String.init)),
                    networks: try networks(row),
                    createdAt: try row.time("created_at"),
                    expiresAt: try row.optionalTime("expires_at"),
                    revokedAt: try row.optionalTime("revoked_at"),
                    lastUsedAt: try row.optionalTime("last_used_at"),
                    apiVersion: try row.optionalText("api_version"),
                    idempotencyKey: try row.optionalText("idempotency_key"),
                    mode: try MarketplaceClock(row).mode
                )
            )
        }
        return keys
    }

    private static func networks(_ row: Row) throws(SQLError) -> [NetworkRange] {
        var networks: [NetworkRange] = []
        for text in try row.text("networks").split(separator: ",") {
            guard let network = NetworkRange(String(text)) else { throw .unexpectedValue(column: "networks") }
            networks.append(network)
        }
        return networks
    }
}
