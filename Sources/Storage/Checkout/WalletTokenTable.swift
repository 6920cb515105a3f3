package import Domain
package import SQL

/// What was seen of the hashed merchant identifiers in Apple's multi-merchant tokens.
///
/// Apple does not publish how it hashes, so a row is only a candidate until an operator has confirmed it.
package enum MerchantHashTable {
    /// How far a row may be trusted.
    package enum State: String, Sendable, CaseIterable {
        /// Seen, and nothing more.
        case recorded
        /// An operator says that the hash is the merchant's.
        case confirmed
        /// An operator says that it is not.
        case rejected
    }

    /// A hash and a merchant identifier that it may be of.
    package struct Entry: Hashable, Sendable {
        /// The hash as it stands in tokens.
        package let hash: String
        /// The merchant identifier.
        package let merchantIdentifier: String
        /// How far it may be trusted.
        package let state: State
        /// In how many tokens the amounts allowed it.
        package let seen: Int64
        /// In how many tokens the amounts contradicted it once it was confirmed.
        package let contradicted: Int64
        /// When it was first seen.
        package let firstSeenAt: Timestamp
        /// When it was last seen.
        package let lastSeenAt: Timestamp
    }

    /// The rows of these hashes.
    package static func find(
        _ hashes: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        guard !hashes.isEmpty else { return [] }
        return try read(
            session.rows(
                """
                SELECT * FROM merchant_hash WHERE marketplace = \(marketplace)
                    AND hash IN (\(list: hashes.map(\.sqlValue)))
                """
            )
        )
    }

    /// Every row, contradicted ones first, then the latest.
    package static func list(of marketplace: String, limit: Int, in session: any Session) throws(SQLError) -> [Entry] {
        try read(
            session.rows(
                """
                SELECT * FROM merchant_hash WHERE marketplace = \(marketplace)
                ORDER BY contradicted DESC, last_seen_at DESC, hash, merchant_identifier LIMIT \(limit)
                """
            )
        )
    }

    /// The rows that were contradicted since an operator last decided on them; of every marketplace if none is named.
    package static func contradicted(
        of marketplace: String?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        let filter: SQL = marketplace.map { "AND marketplace = \($0)" } ?? ""
        return try read(
            session.rows(
                """
                SELECT * FROM merchant_hash WHERE contradicted > 0 \(filter)
                ORDER BY last_seen_at, hash, merchant_identifier LIMIT \(limit)
                """
            )
        )
    }

    /// Counts that a token's amounts allow a hash to be of these merchants.
    package static func record(
        _ hash: String,
        of merchants: [String],
        marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !merchants.isEmpty else { return }
        let rows: [[SQLValue]] = merchants.map { merchant in
            [
                marketplace.sqlValue, hash.sqlValue, merchant.sqlValue, State.recorded.rawValue.sqlValue, 1.sqlValue,
                0.sqlValue, now.sqlValue, now.sqlValue,
            ]
        }
        try session.run(
            """
            INSERT INTO merchant_hash (marketplace, hash, merchant_identifier, state, seen, contradicted,
                first_seen_at, last_seen_at)
            VALUES \(rows: rows)
            ON CONFLICT (marketplace, hash, merchant_identifier)
                DO UPDATE SET seen = merchant_hash.seen + 1, last_seen_at = excluded.last_seen_at
            """
        )
    }

    /// Counts that a token's amounts contradicted what is confirmed of these hashes.
    package static func contradict(
        _ hashes: [String],
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !hashes.isEmpty else { return }
        try session.run(
            """
            UPDATE merchant_hash SET contradicted = contradicted + 1, last_seen_at = \(now)
            WHERE marketplace = \(marketplace) AND state = \(State.confirmed.rawValue)
                AND hash IN (\(list: hashes.map(\.sqlValue)))
            """
        )
    }

    /// Writes what an operator says of a row; false if there is none.
    package static func decide(
        _ hash: String,
        of merchant: String,
        marketplace: String,
        state: State,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE merchant_hash SET state = \(state.rawValue), decided_at = \(now), contradicted = 0
            WHERE marketplace = \(marketplace) AND hash = \(hash) AND merchant_identifier = \(merchant)
            """
        ) == 1
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Entry] {
        var all: [Entry] = []
        for row in rows {
            all.append(
                Entry(
                    hash: try row.text("hash"),
                    merchantIdentifier: try row.text("merchant_identifier"),
                    state: try row.word("state"),
                    seen: try row.integer("seen"),
                    contradicted: try row.integer("contradicted"),
                    firstSeenAt: try row.time("first_seen_at"),
                    lastSeenAt: try row.time("last_seen_at")
                )
            )
        }
        return all
    }
}

/// Wallet tokens that an order has used up: each pays once, whatever instance it is sent to.
///
/// They are kept for good: a window may be off, and a token that is passed on unopened is not held against any.
package enum WalletTokenTable {
    /// Uses a token up for an order.
    ///
    /// - Parameters:
    ///   - transaction: what the wallet names the token by.
    ///   - wallet: the wallet, for example `apple_pay`.
    ///   - order: the order that it pays.
    ///   - marketplace: whose order that is.
    ///   - now: the present moment.
    ///   - session: the transaction that writes the order down.
    /// - Returns: false if the token was used before.
    /// - Throws: `SQLError`.
    package static func use(
        _ transaction: String,
        of wallet: String,
        for order: OrderID,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            INSERT INTO wallet_token (wallet, transaction_id, marketplace, order_id, used_at)
            VALUES (\(wallet), \(transaction), \(marketplace), \(order), \(now))
            ON CONFLICT (wallet, transaction_id) DO NOTHING
            """
        ) == 1
    }
}
