package import Domain
package import SQL

/// The schema: an append-only list of migrations.
///
/// Before the first release the first of them is changed in place, and a database that was made with an older text of
/// it is refused and made anew; from then on what changes is another migration behind it.
package enum Schema {
    /// Every migration, in the order of application.
    package static let migrations = [
        Migration(
            name: "0001-schema",
            text: directory + keyring + orders + checkout + webhooks + callbacks + payouts + invoices + reconciliation
                + ledger
                + audit
                + auditTrail
                + retention + instances
        )
    ]
}

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
        try requireKnown(known)
        for migration in migrations where try Self.isMissing(migration, among: known) {
            throw SchemaRefusal.missing(migration.name)
        }
    }

    /// Refuses what this build does not know: a name behind its last one is a newer build's, any other one is of a schema
    /// that was written anew since.
    private func requireKnown(_ known: [String: String]) throws(SchemaRefusal) {
        let names = migrations.map(\.name)
        guard let foreign = known.keys.filter({ !names.contains($0) }).min() else { return }
        throw foreign < names.last ?? "" ? .outdated(foreign) : .unknown(foreign)
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
                    VALUES (\(migration.name), \(migration.checksum))
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
        guard checksum == migration.checksum else { throw SchemaRefusal.changed(migration.name) }
        return false
    }
}

/// Why a schema will not do.
package enum SchemaRefusal: Error, Hashable, Sendable {
    /// The migration has not been applied: run `tributary migrate`.
    case missing(String)
    /// The migration was applied with another text than this build has.
    case changed(String)
    /// The database was made with migrations that are no longer there: nothing was released with them.
    case outdated(String)
    /// A newer build applied a migration that this one does not know.
    case unknown(String)
}

/// Asks a database whether it is there.
package enum DatabaseProbe {
    /// Reads a row of a table, so that the file of an embedded database is read too.
    ///
    /// - Throws: `SQLError`.
    package static func touch(in session: any Session) throws(SQLError) {
        _ = try session.rows("SELECT name FROM schema_migration LIMIT 1")
    }

    /// When the order that was placed last took its last step; nil if there is none.
    ///
    /// - Throws: `SQLError`.
    package static func lastStep(in session: any Session) throws(SQLError) -> Timestamp? {
        let rows = try session.rows(
            """
            SELECT at FROM order_step WHERE order_id = (SELECT MAX(id) FROM orders) ORDER BY version DESC LIMIT 1
            """
        )
        return try rows.first?.time("at")
    }
}

extension Migration {
    /// FNV-1a, 64 bit, in hexadecimal, of the text: to notice a change, not to withstand one made on purpose.
    fileprivate var checksum: String {
        let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
