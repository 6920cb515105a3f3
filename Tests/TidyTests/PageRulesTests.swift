import Testing

@Suite("Pages that people read")
struct PageRulesTests {
    private static let existing: Set = ["Sources/Domain", "Sources/Domain/Order.swift", ".ci/run"]

    private static func findings(_ text: String) -> [String] {
        let file = SourceTree.File(path: "README.md", text: text)
        return PageRules.missingPaths(file, existing: existing).map(\.description)
    }

    static let bad = [
        ("a `Sources/Domain/Offer.swift` b", "Sources/Domain/Offer.swift"), ("`Tests/A/`", "Tests/A/"),
        ("`x`, `.ci/walk FILE`", ".ci/walk"), ("[a](.github/NEWS.md), `Sources/Domain`", ".github/NEWS.md"),
        ("| `Adapters/Stripe` | what |", "Adapters/Stripe"), ("`Config/a.yaml`", "Config/a.yaml"),
    ]

    @Test("name nothing that does not exist", arguments: bad)
    func snippets(text: String, path: String) {
        #expect(Self.findings("first\n" + text) == ["README.md:2: names \(path), which does not exist"])
    }

    static let good = [
        "`Sources/Domain`, `Sources/Domain/`, [a](Sources/Domain/Order.swift)", "`.ci/run [FILE]`", "`Tests/`",
        "Sources/Offer.swift", "`Adapters/<PSP>/README.md`", "`Adapters/Acme/`",
        "`Tests/AdapterTests/Samples/acme/`", "`Order.swift`",
    ]

    @Test("may name what exists, a placeholder or the example", arguments: good)
    func others(text: String) { #expect(Self.findings(text).isEmpty) }

    @Test("the first of them has fewer than 250 lines")
    func length() {
        let lines = { (count: Int) in
            SourceTree.File(path: "README.md", text: String(repeating: "a\n", count: count))
        }
        #expect(PageRules.length(lines(249)).isEmpty)
        #expect(PageRules.length(lines(250)).map(\.description) == ["README.md:250: has 250 lines"])
        #expect(SourceTree.texts.flatMap(PageRules.length).isEmpty)
    }

    @Test("the tree has every path that they name")
    func tree() {
        let pages = SourceTree.texts.filter { PageRules.isPage($0.path) }
        #expect(pages.contains { $0.path == "README.md" })
        for folder in PageRules.folders { #expect(pages.contains { $0.path.hasPrefix(folder) }) }
        let existing = Set(SourceTree.paths)
        #expect(pages.flatMap { PageRules.missingPaths($0, existing: existing) }.isEmpty)
    }
}
