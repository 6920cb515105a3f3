import Testing

@Suite("Source rules")
struct SourceRulesTests {
    private static func source(_ text: String, _ path: String = "Sources/Domain/A.swift") -> SwiftSource {
        SwiftSource(path: path, text: text)
    }

    private static func file(_ text: String) -> SourceTree.File {
        SourceTree.File(path: "Sources/Domain/A.swift", text: text)
    }

    @Test("no file has more than 400 lines")
    func fileLength() {
        #expect(SourceRules.fileLength(Self.file(String(repeating: "a\n", count: 400))).isEmpty)
        #expect(SourceRules.fileLength(Self.file(String(repeating: "a\n", count: 400) + "b")).count == 1)
        let findings = SourceTree.texts.filter { $0.path.hasSuffix(".swift") }.flatMap(SourceRules.fileLength)
        #expect(findings.isEmpty)
    }

    @Test("no function has more than 70 lines")
    func functionLength() {
        let body = { (count: Int) in "func a() {\n" + String(repeating: "    b()\n", count: count) + "}\n" }
        #expect(SourceRules.functionLength(Self.source(body(68))).isEmpty)
        #expect(SourceRules.functionLength(Self.source(body(69))).map(\.line) == [1])
        #expect(SourceTree.sources.flatMap(SourceRules.functionLength).isEmpty)
    }

    @Test("half of the files that ship have fewer than 160 lines")
    func median() {
        #expect(LayoutRules.median([]) == 0)
        #expect(LayoutRules.median([400, 1, 50]) == 50)
        #expect(LayoutRules.median([3, 1, 2, 4]) == 2)
        #expect(LayoutRules.median(SourceTree.shipped.map(\.lines.count)) < LayoutRules.medianLimit)
    }

    static let badUnsafe = [
        "let a = unsafe b", "    unsafe pointer.pointee = 1", "final class A: @unchecked Sendable {",
        "nonisolated(unsafe) var a = 1", "extension A: @unchecked @retroactive Sendable {}", "@unsafe func a() {}",
    ]

    @Test("unsafe code stands only where C resources are owned", arguments: badUnsafe)
    func unsafeCode(text: String) {
        #expect(SourceRules.unsafeCode(Self.source(text)).count == 1)
        #expect(SourceRules.unsafeCode(Self.source(text, "Adapters/Stripe/A.swift")).count == 1)
        #expect(SourceRules.unsafeCode(Self.source(text, "Sources/HTTPTransport/A.swift")).isEmpty)
        #expect(SourceRules.unsafeCode(Self.source("// \(text)\nlet unsafeSQL = \"unsafe\"")).isEmpty)
    }

    @Test("the tree has unsafe code only there")
    func unsafeTree() {
        #expect(SourceTree.shipped.flatMap(SourceRules.unsafeCode).isEmpty)
    }

    @Test(
        "only the command prints",
        arguments: [
            "print(1)", "    print(\"a\")", "if a { print(b) }", "debugPrint(a)", "dump(a)", "Swift.map { dump($0) }",
        ]
    )
    func printing(text: String) {
        #expect(SourceRules.printing(Self.source(text)).count == 1)
        #expect(SourceRules.printing(Self.source(text, "Sources/TributaryCommand/A.swift")).isEmpty)
        #expect(
            SourceRules.printing(
                Self.source("fingerprint(a); a.print(b); func print(a: Int) {} // print(1)\ndump(a, to: &b)")
            ).isEmpty
        )
    }

    @Test("the tree prints only there")
    func printingTree() {
        #expect(SourceTree.sources.flatMap(SourceRules.printing).isEmpty)
    }

    @Test("nothing is promised instead of done")
    func promises() {
        let words = ["TO" + "DO", "FIX" + "ME"]
        for word in words {
            #expect(SourceRules.promises(Self.file("a\n// \(word): later\n")).map(\.line) == [2])
            #expect(SourceRules.promises(Self.file("let METHOD\(word)S = 1")).isEmpty)
        }
        #expect(SourceTree.texts.flatMap(SourceRules.promises).isEmpty)
    }

    @Test("no file names a path of one machine")
    func machinePaths() {
        for folder in ["wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers", "t" + "mp"] {
            #expect(SourceRules.machinePaths(Self.file("a\nlet b = \"/\(folder)/c\"")).map(\.line) == [2])
        }
        #expect(SourceRules.machinePaths(Self.file("https://shop.example/working/")).isEmpty)
        #expect(SourceTree.texts.flatMap(SourceRules.machinePaths).isEmpty)
    }
}
