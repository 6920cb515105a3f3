package import SQL

/// Brings a database's schema up to date, and tells whether it is.
package struct Migrator: Sendable {
    private let migrations: [Migration]

    /// A migrator for these migrations, which are the product's unless a test has its own.
    package init(_ migrations: [Migration] = Schema.migrations) { self.migrations = migrations }

    /// Applies what is missing, each migration in a transaction of its own, and answers the names it applied.
    ///
    /// Several instances may do so at once: a migration begins with its line in the ledger, and who comes second finds
    /// it there.
    ///
    /// - Throws: ``SchemaRefusal`` if a migration was changed or is unknown, or `SQLError`.
    package func migrate(_ database: some Database) async throws -> [String] {
        try await createLedger(in: database)
        try await database.read { session in try requireKnown(Self.known(in: session)) }
        var applied: [String] = []
        for migration in migrations where try await apply(migration, to: database) { applied.append(migration.name) }
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
        try requireKnown(known)
    }

    private func requireKnown(_ known: [String: String]) throws(SchemaRefusal) {
        let names = Set(migrations.map(\.name))
        if let foreign = known.keys.filter({ !names.contains($0) }).min() { throw .unknown(foreign) }
    }

    /// PostgreSQL lets two instances that create the same table at once collide in its catalog.
    private func createLedger(in database: some Database) async throws {
        func create() async throws { try await database.write { try $0.run(Self.ledger($0.dialect)) } }
        do { try await create() } catch is SQLError { try await create() }
    }

    /// Applies a migration unless it was, and says whether it did.
    private func apply(_ migration: Migration, to database: some Database) async throws -> Bool {
        do {
            return try await database.write { session in
                guard try Self.isMissing(migration, among: Self.known(in: session)) else { return false }
                try session.run(
                    """
                    INSERT INTO schema_migration (name, checksum)
                    VALUES (\(migration.name), \(Checksum.of(migration.text)))
                    """
                )
                for statement in migration.statements(for: session.dialect) { try session.run(statement) }
                return true
            }
        } catch SQLError.uniqueViolation {
            let known = try await database.read { session in try Self.known(in: session) }
            if try Self.isMissing(migration, among: known) { throw SchemaRefusal.missing(migration.name) }
            return false
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
