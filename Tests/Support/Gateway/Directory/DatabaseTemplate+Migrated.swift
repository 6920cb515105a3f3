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

    /// The same, where the marketplace and every merchant hear what is told to them.
    package static let listening = DatabaseTemplate(name: "listening") { database in
        try await travel.prepare(database)
        try await TestMarketplace.travel.listen(in: database)
    }
}
