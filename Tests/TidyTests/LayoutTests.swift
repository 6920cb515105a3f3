import Testing

@Suite("Layout")
struct LayoutTests {
    @Test("the top level holds exactly the names agreed on")
    func topLevel() {
        #expect(LayoutRules.topLevel(LayoutRules.topLevel).isEmpty)
        #expect(LayoutRules.topLevel(LayoutRules.topLevel + ["Makefile"]).map(\.path) == ["Makefile"])
        #expect(LayoutRules.topLevel(Array(LayoutRules.topLevel.dropFirst())).map(\.path) == ["Adapters"])
        #expect(LayoutRules.topLevel(SourceTree.topLevel).isEmpty)
    }

    private static let sound = [
        "Adapters/Acme/AcmeAdapter.swift", "Adapters/Acme/README.md",
        "Tests/AdapterTests/Fixtures/acme/authorize/succeeded-card.http",
        "Tests/AdapterTests/Fixtures/acme/authorize/declined-risk.http",
        "Tests/AdapterTests/Fixtures/acme/authorize/unknown-html-502.http",
    ]

    @Test(
        "an adapter that lacks a page or a fixture is found out",
        arguments: zip(
            1..<5,
            ["README.md", "approved fixture", "declined fixture", "unknown fixture"]
        )
    )
    func lacking(index: Int, missing: String) {
        var paths = Self.sound
        paths.remove(at: index)
        #expect(LayoutRules.adapters(Self.sound).isEmpty)
        #expect(LayoutRules.adapters(paths).map(\.description) == ["Adapters/Acme:0: has no \(missing)"])
    }

    @Test("every adapter has a page, and a recorded approval, decline and doubt")
    func adapters() {
        #expect(LayoutRules.adapters(SourceTree.paths).isEmpty)
        #expect(SourceTree.paths.contains { $0.hasPrefix("Adapters/") && $0.hasSuffix("Adapter.swift") })
    }
}
