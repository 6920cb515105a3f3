import SQL
import Testing
import TributaryTestKit

@Suite("A value", .timeLimit(.minutes(10)))
struct ValueTests {
    private static let texts = [
        "", " ", "plain", "O'Hara \"quoted\" \\ \\x41 $1 %s ; --", "Zürich 東京 🧾 e\u{301}", "\u{FEFF}\u{1}\n\t\r\u{7F}",
        "\u{FFFF}\u{10FFFF}", String(repeating: "long ", count: 20_000),
    ]
    private static let integers: [Int64] = [0, 1, -1, 9, 10, -10, .max, .min, .min + 1, 1 << 53 + 1]
    private static let byteStrings: [[UInt8]] = [
        [], [0], [0, 1, 2], [0x5C, 0x78], Array(0...255), Array(repeating: 0xFF, count: 100_000),
    ]

    @Test("comes back as it was stored", arguments: DatabaseEngine.allCases)
    func roundTrips(_ engine: DatabaseEngine) async throws {
        let values =
            Self.texts.map(SQLValue.text) + Self.integers.map(SQLValue.integer) + Self.byteStrings.map(SQLValue.bytes)
        let table = DatabaseTemplate(
            name: "values",
            tables: "CREATE TABLE entries (id {int} PRIMARY KEY, i {int}, t {text}, b {bytes}) {table};\n"
        )
        try await withDatabase(engine, prepare: table) { database in
            try await database.write { session in
                for (id, value) in values.enumerated() { try session.run(Self.insert(id, value)) }
            }
            let found = try await database.read { session in
                try session.rows("SELECT i, t, b FROM entries ORDER BY id").map { row in
                    try [row.value("i"), row.value("t"), row.value("b")].filter { $0 != .null }
                }
            }
            #expect(found == values.map { [$0] })
        }
    }

    private static func insert(_ id: Int, _ value: SQLValue) -> SQL {
        switch value {
        case .integer: "INSERT INTO entries (id, i, t, b) VALUES (\(id), \(value), \(SQLValue.null), NULL)"
        case .text: "INSERT INTO entries (id, i, t, b) VALUES (\(id), \(SQLValue.null), \(value), NULL)"
        case .bytes, .null: "INSERT INTO entries (id, i, t, b) VALUES (\(id), \(SQLValue.null), NULL, \(value))"
        }
    }

    @Test("of text with NUL is refused, wherever it stands", arguments: DatabaseEngine.allCases)
    func refusesNUL(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.empty) { database in
            for name in ["\0", "a\0", "\0a", "a\0b"] {
                await #expect(throws: SQLError.broken("text with NUL cannot be stored")) {
                    try await database.write { session in
                        try session.run(AccountTables.open(1, "before"))
                        #expect(throws: SQLError.self) { try session.run(AccountTables.open(2, name)) }
                    }
                }
            }
            let names = try await database.read(AccountTables.names)
            #expect(names == [])
        }
    }

    @Test("of NUL alone is fine as bytes, and NULL equals nothing", arguments: DatabaseEngine.allCases)
    func comparesNull(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            let counts = try await database.write { session in
                try session.run("INSERT INTO notes (id, account, bytes) VALUES (1, 1, \([0] as [UInt8]))")
                return try session.rows([
                    "SELECT id FROM notes WHERE bytes = \([0] as [UInt8])",
                    "SELECT id FROM notes WHERE text = \(SQLValue.null)",
                    "SELECT id FROM notes WHERE id IN (\(list: []))",
                ]).map(\.count)
            }
            #expect(counts == [1, 0, 0])
        }
    }

    @Test("of a type nobody stores is not guessed at", arguments: DatabaseEngine.allCases)
    func refusesUnknownTypes(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            await #expect(throws: SQLError.unexpectedValue(column: "half")) {
                _ = try await database.read { session in try session.rows("SELECT 1 AS one, 0.5 AS half") }
            }
            await #expect(throws: SQLError.unexpectedValue(column: "other")) {
                _ = try await database.read { session in try session.rows("SELECT 1 AS one")[0].integer("other") }
            }
        }
    }

    @Test("too many are refused before they are sent", arguments: DatabaseEngine.allCases)
    func refusesTooMany(_ engine: DatabaseEngine) async throws {
        let few = [SQLValue](repeating: .integer(1), count: SQL.valueLimit)
        try await withDatabase(engine) { database in
            let found = try await database.read { try $0.rows("SELECT 1 AS one WHERE 1 IN (\(list: few))").count }
            #expect(found == 1)
            await #expect(throws: SQLError.broken("more than 32766 values in a statement")) {
                _ = try await database.read { try $0.rows("SELECT 1 AS one WHERE 1 IN (\(list: few + [.null]))") }
            }
        }
    }

    @Test("sorts and compares by its UTF-8 bytes", arguments: DatabaseEngine.allCases)
    func sortsByBytes(_ engine: DatabaseEngine) async throws {
        let names = ["B", "a", "z", "\u{E9}", "\u{FF5E}", "\u{1F600}"]
        try await withDatabase(engine, prepare: AccountTables.empty) { database in
            let sorted = try await database.write { session in
                for (id, name) in names.shuffled().enumerated() { try session.run(AccountTables.open(id, name)) }
                return try session.rows("SELECT name FROM accounts ORDER BY name").map { try $0.text("name") }
            }
            #expect(sorted == names)
            let decomposed = try await database.read { session in
                try session.rows("SELECT id FROM accounts WHERE name = \("e\u{301}")").count
            }
            #expect(decomposed == 0)
        }
    }
}
