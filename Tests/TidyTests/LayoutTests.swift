import Foundation
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
        file("Adapters/Acme/AcmeAdapter.swift"), file("Adapters/Acme/README.md"),
        file("Tests/AdapterTests/Samples/acme/authorize.txt", "succeeded\n    held\n\ndeclined-risk\n\nunknown-html\n"),
    ]

    private static func file(_ path: String, _ text: String = "") -> SourceTree.File {
        SourceTree.File(path: path, text: text)
    }

    @Test(
        "an adapter that lacks a page or a conversation is found out",
        arguments: [
            ("README.md", "Adapters/Acme/README.md", ""), ("approved conversation", "", "succeeded"),
            ("declined conversation", "", "declined"), ("unknown conversation", "", "unknown"),
        ]
    )
    func lacking(missing: String, path: String, word: String) {
        let files = Self.sound.filter { $0.path != path }.map { file in
            Self.file(file.path, word.isEmpty ? file.text : file.text.replacing(word, with: "    held"))
        }
        #expect(LayoutRules.adapters(Self.sound).isEmpty)
        #expect(LayoutRules.adapters(files).map(\.description) == ["Adapters/Acme:0: has no \(missing)"])
    }

    @Test("every adapter has a page, and conversations that end in an approval, a decline and a doubt")
    func adapters() {
        #expect(LayoutRules.adapters(SourceTree.texts).isEmpty)
        #expect(SourceTree.paths.contains { $0.hasPrefix("Adapters/") && $0.hasSuffix("Adapter.swift") })
    }

    @Test("no two samples have the same bytes")
    func copies() throws {
        let bad: [(path: String, bytes: [UInt8])] = [("b.http", [1, 2]), ("a.http", [1, 2]), ("c.http", [1, 3])]
        #expect(LayoutRules.copies(bad).map(\.description) == ["b.http:0: is a copy of a.http"])
        let samples = try SourceTree.paths.filter { $0.hasPrefix(LayoutRules.samples) && $0.contains(".") }.map {
            path in
            (path: path, bytes: [UInt8](try Data(contentsOf: SourceTree.root.appending(path: path))))
        }
        #expect(samples.count > 100)
        #expect(LayoutRules.copies(samples).isEmpty)
    }

    @Test("an adapter's files are in one folder and called after its PSP")
    func folders() {
        let bad = [
            "Adapters/Acme/AcmeAdapter.swift", "Adapters/Acme/Tables/AcmeUnit.swift", "Adapters/Acme/Money.swift",
        ]
        #expect(
            LayoutRules.folders(bad).map(\.description) == [
                "Adapters/Acme/Tables/AcmeUnit.swift:0: is in a subfolder",
                "Adapters/Acme/Money.swift:0: is not called after its PSP",
            ]
        )
        #expect(LayoutRules.folders(SourceTree.paths).isEmpty)
    }
}
