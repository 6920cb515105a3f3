import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Migrations", .timeLimit(.minutes(10)))
struct MigratorTests {
    private static let first = Migration(name: "0001-a", text: "CREATE TABLE a (id {int} NOT NULL) {table};\n")
    private static let second = Migration(name: "0002-b", text: "CREATE TABLE b (id {int} NOT NULL) {table};\n")
    private static let changed = Migration(name: "0001-a", text: "CREATE TABLE a (id {text} NOT NULL) {table};\n")
    private static let broken = Migration(
        name: "0002-b",
        text: "CREATE TABLE b (id {int} NOT NULL) {table};\nCREATE TABLE a (id {int} NOT NULL) {table};\n"
    )

    /// Adds a column that a program before does not mind, and so runs beside those that know the first.
    private static let expansion = Migration(
        name: "0002-b",
        text: "ALTER TABLE a ADD COLUMN note {text};\nCREATE TABLE b (id {int} NOT NULL) {table};\n",
        needs: "0001-a"
    )
    /// Takes away what programs write that know the first alone, a release later.
    private static let contraction = Migration(
        name: "0003-c",
        text: "ALTER TABLE a DROP COLUMN id;\n",
        needs: "0002-b"
    )

    private static func tables(_ database: any Database) async throws -> [String] {
        var found: [String] = []
        for name in ["a", "b"] {
            let exists = try? await database.read { try $0.rows(SQL(stringLiteral: "SELECT COUNT(*) FROM \(name)")) }
            if exists != nil { found.append(name) }
        }
        return found
    }

    @Test("are all applied to an empty database, and not again", arguments: DatabaseEngine.allCases)
    func applied(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let names = Schema.migrations.map(\.name)
            #expect(names == names.sorted())
            #expect(try await Migrator().migrate(database) == names)
            #expect(try await Migrator().migrate(database) == [])
            try await Migrator().check(database)
        }
    }

    @Test("that were added since are applied alone", arguments: DatabaseEngine.allCases)
    func added(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            #expect(try await Migrator([Self.first]).migrate(database) == ["0001-a"])
            let grown = Migrator([Self.first, Self.second])
            await #expect(throws: SchemaRefusal.missing("0002-b")) { try await grown.check(database) }
            #expect(try await grown.migrate(database) == ["0002-b"])
            try await grown.check(database)
            #expect(try await Self.tables(database) == ["a", "b"])
        }
    }

    @Test("are missing in a database that has none", arguments: DatabaseEngine.allCases)
    func missing(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            await #expect(throws: SchemaRefusal.missing("schema_migration")) { try await Migrator().check(database) }
        }
    }

    @Test("that were changed since are refused", arguments: DatabaseEngine.allCases)
    func changed(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            _ = try await Migrator([Self.first]).migrate(database)
            let other = Migrator([Self.changed, Self.second])
            await #expect(throws: SchemaRefusal.changed("0001-a")) { try await other.check(database) }
            await #expect(throws: SchemaRefusal.changed("0001-a")) { try await other.migrate(database) }
            #expect(try await Self.tables(database) == ["a"])
        }
    }

    @Test("of a newer build are refused", arguments: DatabaseEngine.allCases)
    func unknown(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            _ = try await Migrator([Self.second]).migrate(database)
            let older = Migrator([Self.first])
            let refusal = SchemaRefusal.unknown("0002-b", needs: "0002-b")
            await #expect(throws: refusal) { try await older.migrate(database) }
            #expect(try await Self.tables(database) == ["b"])
            _ = try await Migrator([Self.first, Self.second]).migrate(database)
            await #expect(throws: refusal) { try await older.check(database) }
        }
    }

    @Test("that only add let the program before run on, and start again", arguments: DatabaseEngine.allCases)
    func expanded(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let before = Migrator([Self.first])
            _ = try await before.migrate(database)
            let after = Migrator([Self.first, Self.expansion])
            #expect(try await after.migrate(database) == ["0002-b"])
            try await before.check(database)
            #expect(try await before.migrate(database) == [])
            try await database.write { session in try session.run("INSERT INTO a (id) VALUES (1)") }
            let status = try await before.status(of: database)
            #expect(status.lines == [.init(name: "0001-a", state: .applied), .init(name: "0002-b", state: .newer)])
            #expect(status.refusal == nil)
            #expect(!status.wouldChange)
        }
    }

    @Test("that take away are refused by programs that do not know enough", arguments: DatabaseEngine.allCases)
    func contracted(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let all = [Self.first, Self.expansion, Self.contraction]
            #expect(try await Migrator(all).migrate(database) == ["0001-a", "0002-b", "0003-c"])
            try await Migrator([Self.first, Self.expansion]).check(database)
            let oldest = Migrator([Self.first])
            let refusal = SchemaRefusal.unknown("0003-c", needs: "0002-b")
            await #expect(throws: refusal) { try await oldest.check(database) }
            await #expect(throws: refusal) { try await oldest.migrate(database) }
            let status = try await oldest.status(of: database)
            #expect(status.refusal == refusal)
            #expect(!status.wouldChange)
            #expect(status.lines.map(\.state) == [.newer, .newer])
        }
    }

    @Test("are looked at without being applied", arguments: DatabaseEngine.allCases)
    func status(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let migrator = Migrator([Self.first, Self.expansion])
            let empty = try await migrator.status(of: database)
            #expect(empty.lines.map(\.state) == [.missing, .missing])
            #expect(empty.wouldChange)
            #expect(try await Self.tables(database) == [])
            _ = try await Migrator([Self.first]).migrate(database)
            let half = try await migrator.status(of: database)
            #expect(half.lines.map(\.state) == [.applied, .missing])
            #expect(half.wouldChange)
            let other = try await Migrator([Self.changed]).status(of: database)
            #expect(other.refusal == .changed("0001-a"))
            #expect(!other.wouldChange)
        }
    }

    @Test("of a schema that was written anew since are refused", arguments: DatabaseEngine.allCases)
    func outdated(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            _ = try await Migrator([Self.first, Self.second]).migrate(database)
            let anew = Migrator([Migration(name: "0003-c", text: Self.second.text)])
            await #expect(throws: SchemaRefusal.outdated("0001-a")) { try await anew.check(database) }
            await #expect(throws: SchemaRefusal.outdated("0001-a")) { try await anew.migrate(database) }
        }
    }

    @Test("that fail leave nothing behind", arguments: DatabaseEngine.allCases)
    func failed(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let migrator = Migrator([Self.first, Self.broken])
            await #expect(throws: SQLError.self) { try await migrator.migrate(database) }
            let tables = try await Self.tables(database)
            #expect(tables == ["a"])
            await #expect(throws: SchemaRefusal.missing("0002-b")) { try await migrator.check(database) }
            #expect(try await Migrator([Self.first, Self.second]).migrate(database) == ["0002-b"])
        }
    }

    @Test("that several instances apply at once are applied once", arguments: DatabaseEngine.allCases)
    func concurrent(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 { group.addTask { try await Migrator().migrate(database) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.sorted() == Schema.migrations.map(\.name))
            try await Migrator().check(database)
        }
    }

    /// Columns with conditions of their own, and one that another migration adds.
    private static let conditions = [
        Migration(
            name: "0001-a",
            text: """
                CREATE TABLE a (
                    id {int where VALUE > 0} NOT NULL PRIMARY KEY, word {text where VALUE IN ('x', 'x; y')} NOT NULL DEFAULT 'x',
                    flag {small where VALUE IN (0, 1)}, CHECK (id < 10 OR flag IS NOT NULL)
                ) {table};

                """
        ),
        Migration(name: "0002-b", text: "ALTER TABLE a ADD COLUMN more {int where VALUE >= 0};\n", needs: "0001-a"),
    ]

    static let refusedRows: [SQL] = [
        "INSERT INTO a (id) VALUES (0)", "INSERT INTO a (id) VALUES (\(-1))",
        "INSERT INTO a (id, word) VALUES (2, 'y')",
        "INSERT INTO a (id, word) VALUES (2, \("y"))", "INSERT INTO a (id, flag) VALUES (2, \(2))",
        "INSERT INTO a (id, more) VALUES (2, \(-1))", "INSERT INTO a (id) VALUES (10)", "UPDATE a SET word = \("z")",
        "UPDATE a SET id = id - 1",
        "WITH n (id, word) AS (VALUES (1, \("y"))) UPDATE a SET word = n.word FROM n WHERE a.id = n.id",
    ]

    @Test("set conditions of single columns, for whatever is written there", arguments: DatabaseEngine.allCases)
    func conditions(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            _ = try await Migrator(Self.conditions).migrate(database)
            try await database.write { session in
                try session.run(
                    "INSERT INTO a (id, word, flag, more) VALUES (1, \("x; y"), NULL, \(0)), (11, 'x', 1, NULL)"
                )
                try session.run("DELETE FROM a WHERE id = 11 AND word = \("x") AND flag = \(1)")
            }
            for statement in Self.refusedRows {
                await #expect("\(statement.text)") {
                    try await database.write { try $0.run(statement) }
                } throws: { error in
                    guard case SQLError.constraintViolation = error else { return false }
                    return true
                }
            }
            let rows = try await database.read { try $0.rows("SELECT id, word, flag, more FROM a") }
            #expect(try rows.map { try $0.integer("id") } == [1])
            #expect(try rows.map { try $0.text("word") } == ["x; y"])
        }
    }
}
