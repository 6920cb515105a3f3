import SQL
import Storage

extension DatabaseTemplate {
    /// The product's schema, without any rows.
    package static let migrated = DatabaseTemplate(name: "migrated") { database in
        _ = try await Migrator().migrate(database)
    }

    /// The product's schema with ``TestMarketplace/travel``.
    package static let travel = DatabaseTemplate(name: "travel") { database in
        _ = try await Migrator().migrate(database)
        try await TestMarketplace.travel.write(to: database)
    }
}
