import Testing

@Suite("Write transactions")
struct TransactionRulesTests {
    private static func findings(_ text: String, _ path: String) -> [Int] {
        TransactionRules.writes(SwiftSource(path: path, text: text)).map(\.line)
    }

    static let writes = [
        "try await database.write { session in", "return try await gateway.database.write { session in",
        "while try await database.write({ try f($0) }) {", "let a = try await self.ports.database.write(body)",
    ]

    @Test("are opened by use cases alone", arguments: writes)
    func snippets(text: String) {
        #expect(Self.findings("let a = 1\n" + text, "Sources/TributaryCommand/Directory/A.swift") == [2])
        #expect(Self.findings(text, "Sources/HTTPAPI/Orders/A.swift") == [1])
        #expect(Self.findings(text, "Sources/Wiring/A.swift") == [1])
        for target in TransactionRules.targets { #expect(Self.findings(text, "Sources/\(target)/A.swift").isEmpty) }
        #expect(Self.findings(text, "Tests/StorageTests/A.swift").isEmpty)
    }

    @Test("are not what else is written")
    func others() {
        for text in [
            "output.write(table)", "try await database.read { a in", "// database.write {", "database.writer(a)",
        ] {
            #expect(Self.findings(text, "Sources/HTTPAPI/A.swift").isEmpty)
        }
    }

    @Test("the tree opens them only there")
    func tree() {
        #expect(SourceTree.shipped.flatMap(TransactionRules.writes).isEmpty)
        #expect(
            SourceTree.shipped.contains { $0.target == "Gateway" && $0.code.contains { $0.contains("database.write") } }
        )
    }
}
