import Testing

@Suite("Entrances")
struct EntranceRulesTests {
    private static func source(_ text: String, _ path: String) -> SwiftSource { SwiftSource(path: path, text: text) }

    @Test("bound the runs of what they read", arguments: EntranceRules.folders)
    func text(folder: String) {
        let path = folder + "A.swift"
        for line in ["let a = String(validating: b, as: UTF8.self)", "return String(copying: span)"] {
            #expect(EntranceRules.unboundedText(Self.source(line, path)).map(\.line) == [1])
            #expect(EntranceRules.unboundedText(Self.source(line + "?.withBoundedRuns", path)).isEmpty)
            #expect(EntranceRules.unboundedText(Self.source(line, "Sources/Domain/A.swift")).isEmpty)
        }
        #expect(SourceTree.sources.flatMap(EntranceRules.unboundedText).isEmpty)
    }

    @Test("refuse long runs in bodies")
    func bodies() {
        let path = EntranceRules.bodies + "A.swift"
        #expect(EntranceRules.lenientBody(Self.source("try JSON.parse(bytes)", path)).count == 1)
        #expect(EntranceRules.lenientBody(Self.source("try JSON.parse(bytes, runs: .refused)", path)).isEmpty)
        #expect(SourceTree.sources.flatMap(EntranceRules.lenientBody).isEmpty)
    }

    @Test("bound what they decode", arguments: EntranceRules.decodingFolders)
    func decoding(folder: String) {
        let path = folder + "A.swift"
        let line = "return SettlementDate(String(decoding: bytes, as: UTF8.self))"
        #expect(EntranceRules.decodedText(Self.source(line, path)).map(\.line) == [1])
        for fine in [
            "String(decoding: a, as: UTF8.self).withBoundedRuns", "String(decoding: a.prefix(3), as: UTF8.self)",
        ] {
            #expect(EntranceRules.decodedText(Self.source(fine, path)).isEmpty)
        }
        #expect(EntranceRules.decodedText(Self.source(line, "Sources/Domain/A.swift")).isEmpty)
        #expect(SourceTree.shipped.flatMap(EntranceRules.decodedText).isEmpty)
    }

    @Test(
        "compare no text as String",
        arguments: [
            "if value.lowercased() == \"close\" {", "let code = text.uppercased()",
            "guard path.hasPrefix(\"/\") else {",
            "a.hasSuffix(b)", "text.range(of: \"x\")", "var seen: [String: Int] = [:]",
        ]
    )
    func comparison(line: String) {
        let folders =
            EntranceRules.comparingFolders + [
                "Adapters/Acme/AcmeWebhooks+", "Adapters/Acme/AcmeSettlement", "Adapters/Acme/AcmeXML",
            ]
        for folder in folders {
            let path = folder + "A.swift"
            let commented = "// \(line)\nlet a = \"\(line.filter { $0 != "\"" })\"\n\(line)"
            #expect(EntranceRules.comparedText(Self.source(commented, path)).map(\.line) == [3], "\(path)")
            for evidence in ["boundedASCII", ".utf8", "withBoundedRuns"] {
                #expect(EntranceRules.comparedText(Self.source(line + evidence, path)).isEmpty)
            }
        }
        #expect(EntranceRules.comparedText(Self.source(line, "Sources/Domain/A.swift")).isEmpty)
        #expect(EntranceRules.comparedText(Self.source(line, "Adapters/Acme/AcmeRequests.swift")).isEmpty)
    }

    @Test("compare nothing that the rule would find")
    func tree() {
        #expect(SourceTree.shipped.flatMap(EntranceRules.comparedText).isEmpty)
    }

    @Test("are where the rules look for them, and nothing is allowed that is not there")
    func honest() {
        for folder in EntranceRules.comparingFolders + EntranceRules.decodingFolders {
            #expect(SourceTree.shipped.contains { $0.path.hasPrefix(folder) }, "\(folder)")
        }
        func unused(_ allowed: [AllowedPlaces], in isWatched: (String) -> Bool) -> [String] {
            let lines = SourceTree.shipped.filter { isWatched($0.path) }.flatMap(\.lines)
            return allowed.flatMap(\.places).filter { place in !lines.contains { $0.contains(place) } }
        }
        #expect(unused(EntranceRules.allowedComparisons, in: EntranceRules.comparesOutsideText).isEmpty)
        let decodes = { (path: String) in EntranceRules.decodingFolders.contains(where: path.hasPrefix) }
        #expect(unused(EntranceRules.shortDecodings, in: decodes).isEmpty)
    }
}
