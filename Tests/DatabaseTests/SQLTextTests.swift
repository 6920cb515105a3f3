import SQL
import Testing

@Suite("A statement's text")
struct SQLTextTests {
    @Test("holds numbered placeholders for what is interpolated")
    func numbersValues() {
        let statement: SQL = "SELECT \(1), \("two"), \([3] as [UInt8]), \(SQLValue.null), \(Int64?.none)"
        #expect(statement.text == "SELECT $1, $2, $3, $4, $5")
        #expect(statement.values == [.integer(1), .text("two"), .bytes([3]), .null, .null])
    }

    @Test("takes another statement in, with its placeholders renumbered")
    func splices() {
        let inner: SQL = "b = \(2) AND c = \(3)"
        let outer: SQL = "WHERE a = \(1) AND (\(inner)) AND d = \(4)"
        #expect(outer.text == "WHERE a = $1 AND (b = $2 AND c = $3) AND d = $4")
        #expect(outer.values == [.integer(1), .integer(2), .integer(3), .integer(4)])
    }

    @Test("renumbers past nine, and twice over")
    func splicesManyDigits() {
        let ten: SQL = "\(list: (1...10).map(SQLValue.integer))"
        let twice: SQL = "\(ten), \(ten)"
        let all: SQL = "(\(twice)), \(0)"
        #expect(all.text == "(" + (1...20).map { "$\($0)" }.joined(separator: ", ") + "), $21")
        #expect(all.values == (Array(1...10) + Array(1...10) + [0]).map(SQLValue.integer))
    }

    @Test("takes a dollar sign that somebody wrote for what it is")
    func keepsDollarSigns() {
        let price: SQL = "name = '$1' AND cost = \(5) AND note = '$'"
        let statement: SQL = "SELECT \(1) WHERE \(price)"
        #expect(statement.text == "SELECT $1 WHERE name = '$1' AND cost = $2 AND note = '$'")
        #expect(statement.values == [.integer(1), .integer(5)])
    }

    @Test("finds its placeholders behind letters of several bytes")
    func splicesUnicode() {
        let inner: SQL = "'Zürich 🧾' = \("東京")"
        let statement: SQL = "é \(inner) é \(1)"
        #expect(statement.text == "é 'Zürich 🧾' = $1 é $2")
        #expect(statement.values == [.text("東京"), .integer(1)])
    }

    @Test("is one behind the other when added")
    func adds() {
        let statement = "SELECT \(1)" as SQL + " UNION SELECT \(2)"
        #expect(statement == "SELECT \(1) UNION SELECT \(2)")
        #expect(statement.text == "SELECT $1 UNION SELECT $2")
    }

    @Test("spells out rows and lists; an empty list is NULL, which nothing equals")
    func spellsOut() {
        let rows: SQL = "VALUES \(rows: [[.integer(1), .text("a")], [.integer(2), .null]])"
        #expect(rows.text == "VALUES ($1, $2), ($3, $4)")
        #expect(rows.values == [.integer(1), .text("a"), .integer(2), .null])
        let empty: SQL = "id IN (\(list: []))"
        #expect(empty.text == "id IN ($1)")
        #expect(empty.values == [.null])
    }

    @Test("holds a dialect's token as text")
    func holdsTokens() {
        let statement: SQL = "SELECT id FROM t WHERE id = \(1) \(unsafeText: Dialect.postgres.lock)"
        #expect(statement.text == "SELECT id FROM t WHERE id = $1 FOR UPDATE")
    }

    @Test("of a migration has its tokens filled in and is cut at each semicolon that ends a line")
    func fillsMigrations() {
        let migration = Migration(
            name: "0001-test",
            text: """
                CREATE TABLE a (id {int}, n {small}, t {text} DEFAULT 'x; y', b {bytes}) {table};
                CREATE INDEX i ON a (id);

                """
        )
        #expect(
            migration.statements(for: .sqlite) == [
                "CREATE TABLE a (id INTEGER, n INTEGER, t TEXT DEFAULT 'x; y', b BLOB) STRICT",
                "CREATE INDEX i ON a (id)",
            ]
        )
        #expect(
            migration.statements(for: .postgres).first?.text
                == "CREATE TABLE a (id BIGINT, n INTEGER, t TEXT COLLATE \"C\" DEFAULT 'x; y', b BYTEA) "
        )
    }
}
