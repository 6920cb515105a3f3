package import SQL

/// Brings a database's schema up to date, and tells whether it is.
package struct Migrator: Sendable {
    private let migrations: [Migration]

    /// A migrator for these migrations, which are the product's unless a test has its own.
    package init(_ migrations: [Migration] = Schema.migrations) { self.migrations = migrations }

    /// Applies what is missing, each migration in a transaction of its own, and answers the names it applied.
    ///
    /// - Throws: ``SchemaRefusal`` or `SQLError`.
    package func migrate(_ database: some Database) async throws -> [String] {
        try await database.write { session in
            try session.run(Self.ledger(session.dialect))
        }
        var applied: [String] = []
        for migration in migrations {
            let isNew = try await database.write { session in
                let known = try Self.known(in: session)
                guard try Self.isMissing(migration, among: known) else { return false }
                for statement in migration.statements(for: session.dialect) { try session.run(statement) }
                let checksum = Checksum.of(migration.text)
                try session.run(
                    "INSERT INTO schema_migration (name, checksum) VALUES (\(migration.name), \(checksum))"
                )
                return true
            }
            if isNew { applied.append(migration.name) }
        }
        return applied
    }

    /// Checks that the schema is exactly the one this build knows.
    ///
    /// - Throws: ``SchemaRefusal`` if a migration is missing, changed or unknown.
    package func check(_ database: some Database) async throws {
        let known = try await database.read { session in try Self.known(in: session) }
        for migration in migrations where try Self.isMissing(migration, among: known) {
            throw SchemaRefusal.missing(migration.name)
        }
        if let foreign = known.keys.sorted().first(where: { name in !migrations.contains { $0.name == name } }) {
            throw SchemaRefusal.unknown(foreign)
        }
    }

    private static func ledger(_ dialect: Dialect) -> SQL {
        """
        CREATE TABLE IF NOT EXISTS schema_migration (
            name \(unsafeText: dialect.textType) NOT NULL PRIMARY KEY, checksum \(unsafeText: dialect.textType) NOT NULL
        ) \(unsafeText: dialect.tableSuffix)
        """
    }

    private static func known(in session: any Session) throws -> [String: String] {
        do {
            let rows = try session.rows("SELECT name, checksum FROM schema_migration")
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.text("name"), try $0.text("checksum")) })
        } catch SQLError.broken {
            throw SchemaRefusal.missing("schema_migration")
        }
    }

    private static func isMissing(_ migration: Migration, among known: [String: String]) throws -> Bool {
        guard let checksum = known[migration.name] else { return true }
        guard checksum == Checksum.of(migration.text) else { throw SchemaRefusal.changed(migration.name) }
        return false
    }
}

/// Why a schema will not do.
package enum SchemaRefusal: Error, Hashable, Sendable {
    /// The migration has not been applied: run `tributary migrate`.
    case missing(String)
    /// The migration was applied with another text than this build has.
    case changed(String)
    /// A newer build applied a migration that this one does not know.
    case unknown(String)
}
