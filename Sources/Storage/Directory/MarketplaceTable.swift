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

        /// Makes a tenant.
        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// All of them, by id.
    package static func all(in session: any Session) throws(SQLError) -> [Marketplace] {
        var all: [Marketplace] = []
        for row in try session.rows("SELECT id, name FROM marketplace ORDER BY id") {
            all.append(Marketplace(id: try row.text("id"), name: try row.text("name")))
        }
        return all
    }

    /// Writes one, new or renamed.
    package static func save(
        _ marketplace: Marketplace,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO marketplace (id, name, created_at) VALUES (\(marketplace.id), \(marketplace.name), \(now))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name
            """
        )
    }
}
