package import Domain
package import SQL

/// The schema: an append-only list of migrations.
///
/// Before the first release the first of them is changed in place, and a database that was made with an older text of
/// it is refused and made anew; from then on what changes is another migration behind it: first one that only adds, beside
/// which the release before runs (`Migration.needs`), and a release later one that takes away.
package enum Schema {
    /// Every migration, in the order of application.
    package static let migrations = [
        Migration(
            name: "0001-schema",
            text: directory + keyring + orders + agreements + merchantTokens + walletOrders + checkout + webhooks
                + callbacks + payouts
                + invoices
                + reconciliation
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
    /// - Throws: ``SchemaRefusal`` if a migration was changed, or one that is not known needs a newer program, or
    ///   `SQLError`.
    package func migrate(_ database: some Database) async throws -> [String] {
        try await createLedger(in: database)
        try await database.read { session in try requireFitting(Self.known(in: session)) }
        var applied: [String] = []
        for migration in migrations where try await apply(migration, to: database) { applied.append(migration.name) }
        return applied
    }

    /// Checks that the schema is one that this build can run with: its own, or a newer one that says so of itself.
    ///
    /// - Throws: ``SchemaRefusal`` if a migration is missing or changed, or one that is not known needs a newer program.
    package func check(_ database: some Database) async throws {
        let known = try await database.read { session in try Self.known(in: session) }
        try requireFitting(known)
        for migration in migrations where try Self.isMissing(migration, among: known) {
            throw SchemaRefusal.missing(migration.name)
        }
    }

    /// Says where a database's schema stands, and changes nothing.
    ///
    /// - Throws: `SQLError`.
    package func status(of database: some Database) async throws -> SchemaStatus {
        let known: [String: Known]
        do {
            known = try await database.read { session in try Self.known(in: session) }
        } catch SchemaRefusal.missing {
            known = [:]
        }
        var status = SchemaStatus()
        do throws(SchemaRefusal) {
            try requireFitting(known)
            for migration in migrations {
                let isMissing = try Self.isMissing(migration, among: known)
                status.lines.append(.init(name: migration.name, state: isMissing ? .missing : .applied))
            }
        } catch {
            status.refusal = error
        }
        let names = Set(migrations.map(\.name))
        status.lines += known.keys.filter { !names.contains($0) }.sorted().map { .init(name: $0, state: .newer) }
        return status
    }

    /// Refuses what this build cannot run with.
    ///
    /// A name behind its last one is a newer build's, which says what a program has to know at least; any other one is of
    /// a schema that was written anew since.
    private func requireFitting(_ known: [String: Known]) throws(SchemaRefusal) {
        let names = migrations.map(\.name)
        let last = names.last ?? ""
        let foreign = known.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        for (name, line) in foreign {
            guard name > last else { throw .outdated(name) }
            let needs = line.needs ?? name
            guard needs <= last else { throw .unknown(name, needs: needs) }
        }
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
                    INSERT INTO schema_migration (name, checksum, needs)
                    VALUES (\(migration.name), \(migration.checksum), \(migration.needs))
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
            name \(unsafeText: dialect.textType) NOT NULL PRIMARY KEY, checksum \(unsafeText: dialect.textType) NOT NULL,
            needs \(unsafeText: dialect.textType)
        ) \(unsafeText: dialect.tableSuffix)
        """
    }

    /// A line of the ledger.
    private struct Known {
        let checksum: String
        /// The last migration that a program has to know; nil for this one.
        let needs: String?
    }

    private static func known(in session: any Session) throws -> [String: Known] {
        do {
            let rows = try session.rows("SELECT name, checksum, needs FROM schema_migration")
            let lines = try rows.map { row in
                (
                    try row.text("name"),
                    Known(checksum: try row.text("checksum"), needs: try row.optionalText("needs"))
                )
            }
            return Dictionary(uniqueKeysWithValues: lines)
        } catch SQLError.broken {
            throw SchemaRefusal.missing("schema_migration")
        }
    }

    private static func isMissing(_ migration: Migration, among known: [String: Known]) throws(SchemaRefusal) -> Bool {
        guard let line = known[migration.name] else { return true }
        guard line.checksum == migration.checksum else { throw .changed(migration.name) }
        return false
    }
}

/// Where a database's schema stands beside the one that a build has.
package struct SchemaStatus: Hashable, Sendable {
    /// A migration.
    package struct Line: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// Where it stands.
        package let state: State

        /// Says where a migration stands.
        package init(name: String, state: State) {
            self.name = name
            self.state = state
        }
    }

    /// Where a migration stands.
    package enum State: String, Sendable {
        /// It is this build's, and was applied.
        case applied
        /// It is this build's, and would be applied.
        case missing
        /// A newer build applied it.
        case newer
    }

    /// This build's migrations, and behind them those that it does not know.
    package fileprivate(set) var lines: [Line] = []
    /// Why this build can neither run with the schema nor bring it up to date; nil if it can.
    package fileprivate(set) var refusal: SchemaRefusal?

    /// Whether `migrate` would change something.
    package var wouldChange: Bool { refusal == nil && lines.contains { $0.state == .missing } }
}

/// Why a schema will not do.
package enum SchemaRefusal: Error, Hashable, Sendable {
    /// The migration has not been applied: run `tributary migrate`.
    case missing(String)
    /// The migration was applied with another text than this build has.
    case changed(String)
    /// The database was made with migrations that are no longer there: nothing was released with them.
    case outdated(String)
    /// A newer build applied a migration that this one does not know, and that only programs run beside which know the one
    /// that it needs.
    case unknown(String, needs: String)
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
