import Testing

@Suite("Words, and files that are compiled")
struct WordRulesTests {
    private static func words(_ text: String) -> [String] {
        WordRules.words(SwiftSource(path: "Sources/Inn/A.swift", text: text)).map(\.description)
    }

    @Test(
        "a word that was replaced is found out, in a type, a use or an extension",
        arguments: WordRules.replaced.keys.sorted()
    )
    func replaced(word: String) throws {
        let right = try #require(WordRules.replaced[word])
        for text in ["struct \(word) {}", "let a: \(word)? = nil", "extension \(word): Sendable {}", "a(\(word).self)"]
        {
            #expect(Self.words("\n" + text) == ["Sources/Inn/A.swift:2: says \(word), which is \(right)"])
        }
    }

    @Test(
        "other words, comments and strings are not",
        arguments: [
            "struct Grounds {}", "let ground = 1", "// A Bell rings.", "let a = \"Carrier\"", "struct MyTray {}",
        ]
    )
    func good(text: String) { #expect(Self.words(text).isEmpty) }

    @Test("no file that ships says one")
    func tree() { #expect(SourceTree.shipped.flatMap(WordRules.words).isEmpty) }

    @Test(
        "a file below a folder that the manifest does not name is found out",
        arguments: [
            "Sources/Attic/A.swift", "Sources/Tools/Attic/A.swift", "Adapters/Attic/A.swift", "Tests/Attic/B/A.swift",
        ]
    )
    func dead(path: String) {
        let manifest = ".target(name: \"Inn\", path: \"Sources/Tools/Inn\"), tests(\"InnTests\")"
        #expect(WordRules.dead([path], manifest: manifest).map(\.path) == [path])
        let named = [
            "Sources/Inn/A.swift", "Sources/Tools/Inn/A.swift", "Tests/InnTests/A.swift", "Sources/Attic/README.md",
        ]
        #expect(WordRules.dead(named, manifest: manifest).isEmpty)
    }

    @Test("the tree has no such file")
    func compiled() throws {
        let manifest = try #require(SourceTree.texts.first { $0.path == "Package.swift" })
        #expect(WordRules.dead(SourceTree.paths, manifest: manifest.text).isEmpty)
    }
}
