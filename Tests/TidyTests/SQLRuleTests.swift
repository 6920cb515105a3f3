import Testing

@Suite("SQL stands in Storage")
struct SQLRuleTests {
    private static func findings(_ literal: String, target: String) -> [Finding] {
        SourceRules.sql(SwiftSource(path: "Sources/\(target)/A.swift", text: "let a = 1\nlet b = \"\(literal)\"\n"))
    }

    static let changes = [
        "INSERT INTO orders VALUES ($1)", "DELETE FROM orders", "UPDATE orders SET a = 1", "CREATE TABLE a (b TEXT)",
        "CREATE UNIQUE INDEX a", "ALTER TABLE a", "DROP TABLE a", "x ON CONFLICT DO NOTHING",
    ]
    static let queries = ["SELECT 1", "SELECT a FROM b", "PRAGMA synchronous", "SAVEPOINT a", "FOR UPDATE SKIP LOCKED"]

    @Test("statements about tables are refused everywhere else", arguments: changes)
    func statements(text: String) {
        for target in ["Domain", "Gateway", "HTTPAPI", "TributaryCommand", "SQL", "PostgresDatabase", "SQLiteDatabase"]
        {
            #expect(Self.findings(text, target: target).map(\.line) == [2])
        }
        #expect(Self.findings(text, target: "Storage").isEmpty)
    }

    @Test("an engine may ask about itself, nobody else may", arguments: queries)
    func engines(text: String) {
        #expect(Self.findings(text, target: "Gateway").map(\.line) == [2])
        #expect(Self.findings(text, target: "PostgresDatabase").isEmpty)
        #expect(Self.findings(text, target: "Storage").isEmpty)
    }

    @Test(
        "English and PEM are no SQL",
        arguments: [
            "select one", "Update the order", "-----BEGIN CERTIFICATE-----", "UPDATED_METADATA", "RESET", "ORDER",
            "COMMIT", "payment.captured", "SELECTED",
        ]
    )
    func english(text: String) {
        #expect(Self.findings(text, target: "Domain").isEmpty)
    }

    @Test("SQL is found in literals of several lines and beside interpolations, not in comments")
    func forms() {
        let many = "let a = \"\"\"\n    SELECT id\n    FROM orders WHERE id = \\(id)\n    \"\"\"\n// SELECT id\n"
        #expect(SourceRules.sql(SwiftSource(path: "Sources/Gateway/A.swift", text: many)).map(\.line) == [1])
        let tail = "let a = \"\\(b) RETURNING id\""
        #expect(SourceRules.sql(SwiftSource(path: "Adapters/Stripe/A.swift", text: tail)).count == 1)
    }

    @Test("the tree has SQL only there")
    func tree() {
        #expect(SourceTree.shipped.flatMap(SourceRules.sql).isEmpty)
        #expect(SourceTree.shipped.contains { $0.target == "Storage" && !$0.literals.isEmpty })
    }
}
