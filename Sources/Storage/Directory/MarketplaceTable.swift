package import Domain
package import SQL

/// The tenants.
package enum MarketplaceTable {
    /// A tenant.
    package struct Marketplace: Hashable, Sendable {
        /// Its id, which stands on every row.
        package let id: String
        /// Its name.
        package let name: String
        /// What it opens wallet tokens with.
        package let wallets: WalletAccess

        /// Makes a tenant.
        package init(id: String, name: String, wallets: WalletAccess = WalletAccess()) {
            self.id = id
            self.name = name
            self.wallets = wallets
        }
    }

    /// All of them, by id.
    package static func all(in session: any Session) throws(SQLError) -> [Marketplace] {
        try read(session.rows("SELECT * FROM marketplace ORDER BY id"))
    }

    /// The statement that ``read(_:)`` needs the answer of, for one.
    package static func named(_ id: String) -> SQL { "SELECT * FROM marketplace WHERE id = \(id)" }

    /// Makes tenants of the answer.
    package static func read(_ rows: [Row]) throws(SQLError) -> [Marketplace] {
        var all: [Marketplace] = []
        for row in rows {
            all.append(
                Marketplace(
                    id: try row.text("id"),
                    name: try row.text("name"),
                    wallets: try WalletAccess(text: try row.text("wallets"))
                )
            )
        }
        return all
    }

    /// Writes one, new or changed.
    package static func save(
        _ marketplace: Marketplace,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO marketplace (id, name, wallets, created_at)
            VALUES (\(marketplace.id), \(marketplace.name), \(marketplace.wallets.text), \(now))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, wallets = excluded.wallets
            """
        )
    }
}
