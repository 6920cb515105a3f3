import Testing

@Suite("Imports")
struct ImportTableTests {
    private static func findings(_ text: String, _ path: String) -> [String] {
        ImportTable.violations(in: SwiftSource(path: path, text: text)).map(\.problem)
    }

    @Test(
        "reads the module of every form of import",
        arguments: zip(
            [
                "import Domain", "public import Domain", "@testable import Domain",
                "@preconcurrency package import Domain",
                "import struct Domain.Money", "internal import class Domain.A.B", "let important = 1",
                "// import Domain",
            ],
            ["Domain", "Domain", "Domain", "Domain", "Domain", "Domain", nil, nil]
        )
    )
    func forms(line: String, module: String?) {
        let code = SwiftSource(path: "a.swift", text: line).code[0]
        #expect(ImportTable.importedModule(code) == module)
    }

    @Test(
        "refuses what the table does not have",
        arguments: [
            ("import Foundation", "Sources/Domain/A.swift", "Domain imports Foundation"),
            ("import Glibc", "Sources/Domain/A.swift", "Domain imports Glibc"),
            ("import SQL", "Sources/Domain/A.swift", "Domain imports SQL"),
            ("import Domain", "Sources/WireFormats/A.swift", "WireFormats imports Domain"),
            ("import Domain", "Sources/SQL/A.swift", "SQL imports Domain"),
            ("import AdapterKit", "Sources/StrictJSON/A.swift", "StrictJSON imports AdapterKit"),
            ("public import SQL", "Sources/AdapterKit/A.swift", "AdapterKit imports SQL"),
            ("import HTTPTransport", "Adapters/Stripe/A.swift", "StripeAdapter imports HTTPTransport"),
            ("import Foundation", "Adapters/Stripe/A.swift", "StripeAdapter imports Foundation"),
            ("import FoundationEssentials", "Sources/Storage/A.swift", "Storage imports FoundationEssentials"),
            ("import GRDB", "Sources/Storage/A.swift", "Storage imports GRDB"),
            ("import HTTPTransport", "Sources/Gateway/A.swift", "Gateway imports HTTPTransport"),
            ("import StripeAdapter", "Sources/Gateway/A.swift", "Gateway imports StripeAdapter"),
            ("import Hummingbird", "Sources/Gateway/A.swift", "Gateway imports Hummingbird"),
            ("import GRDB", "Sources/HTTPAPI/A.swift", "HTTPAPI imports GRDB"),
            ("import Gateway", "Sources/Tools/PSPSimulator/A.swift", "PSPSimulator imports Gateway"),
            ("import struct GRDB.Row", "Sources/PostgresDatabase/A.swift", "PostgresDatabase imports GRDB"),
            ("import Domain", "Sources/Invented/A.swift", "Invented imports Domain"),
        ]
    )
    func refuses(text: String, path: String, problem: String) {
        #expect(Self.findings("import \(problem.split(separator: " ")[0])\n", "Tests/A/B.swift").isEmpty)
        #expect(Self.findings(text, path) == [problem])
    }

    @Test("allows what the table has")
    func allows() {
        #expect(Self.findings("import AdapterKit\nimport Domain\nimport StrictJSON", "Adapters/Adyen/A.swift").isEmpty)
        #expect(Self.findings("import CPostgres\nimport Glibc", "Sources/PostgresDatabase/A.swift").isEmpty)
        #expect(Self.findings("import Foundation\nimport Yams", "Sources/TributaryCommand/A.swift").isEmpty)
    }

    @Test("the table lets nobody import upwards")
    func acyclic() throws {
        var order: [String] = []
        var rest = ImportTable.allowed.compactMapValues(\.self)
        while !rest.isEmpty {
            let next = rest.filter { $0.value.isDisjoint(with: rest.keys) }.map(\.key).sorted()
            try #require(!next.isEmpty, "a circle among \(rest.keys.sorted())")
            order += next
            for name in next { rest[name] = nil }
        }
        #expect(order.count == ImportTable.allowed.count - 1)
    }

    @Test("the tree imports only what the table has")
    func tree() {
        #expect(SourceTree.shipped.flatMap(ImportTable.violations).isEmpty)
        #expect(SourceTree.shipped.contains { $0.code.contains { ImportTable.importedModule($0) == "Domain" } })
    }
}
