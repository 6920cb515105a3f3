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
}
