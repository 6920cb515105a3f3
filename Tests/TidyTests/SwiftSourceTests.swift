import Testing

@Suite("Reading Swift")
struct SwiftSourceTests {
    @Test(
        "tells code from strings and comments",
        arguments: zip(
            [
                "a // b", "a /* b /* c */ d */ e", "f(\"x\") + g", "f(\"\\(g(\"y\"))z\") + h", "f(#\"a\"b\\(c)\"#)",
                "f(#\"a\\#(g)b\"#)", "f(\"a\\\"b\") + c", "f(\"\")", "f(\"// no\") // yes", "/// doc \"x\nf()",
            ],
            [
                "a", "a                     e", "f(   ) + g", "f( (g( )) ) + h", "f(            )",
                "f( (g) )", "f(      ) + c", "f(  )", "f(       )", "\nf()",
            ]
        )
    )
    func code(text: String, code: String) {
        let lines = SwiftSource(path: "a.swift", text: text).code
        let trimmed = lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        let squeezed = trimmed.joined(separator: "\n").split(separator: " ").joined(separator: " ")
        #expect(squeezed == code.split(separator: " ").joined(separator: " "))
    }

    @Test("finds literals with their lines, the parts between interpolations apart")
    func literals() {
        let text = "let a = \"one\"\nlet b = \"\"\"\n    two \"x\"\n    \"\"\"\nlet c = \"a\\(f(\"in\"))b\"\n"
        let found = SwiftSource(path: "a.swift", text: text).literals
        #expect(found.map(\.line) == [1, 2, 5, 5, 5])
        #expect(found.map { $0.text.split(separator: "\n").joined() } == ["one", "    two \"x\"    ", "a", "in", "b"])
    }

    @Test("keeps as many lines of code as there are lines")
    func lineCount() {
        for source in SourceTree.sources { #expect(source.code.count == source.lines.count, "\(source.path)") }
        #expect(SourceTree.sources.count > 100)
    }

    @Test(
        "knows the target of a file",
        arguments: zip(
            [
                "Sources/Domain/Money/Money.swift", "Sources/Tools/PSPSimulator/A.swift", "Adapters/Stripe/A.swift",
                "Tests/DomainTests/A.swift", "Package.swift",
            ],
            ["Domain", "PSPSimulator", "StripeAdapter", nil, nil]
        )
    )
    func targets(path: String, target: String?) {
        #expect(SwiftSource(path: path, text: "").target == target)
    }

    @Test(
        "measures functions from keyword to brace",
        arguments: zip(
            [
                "func a() {\n}\n", "func a() { 1 }\n", "func a()\nfunc b() {\n\n}\n",
                "    private static func a(\n        b: Int\n    ) throws -> Int\n    where C: D {\n        x\n    }\n",
                "init(a: () -> Void = {}) {\n    self.init()\n}\n", "var a: Int {\n    1\n}\n", "let x = f.init(1)\n",
                "deinit {\n}\n", "@discardableResult func a() {\n    \"}\"  // }\n}\n",
                "func a() async\n    -> Int\n{\n    { 1 }()\n}\n",
            ],
            [[2], [1], [3], [6], [3], [], [], [2], [3], [5]]
        )
    )
    func functions(text: String, lengths: [Int]) {
        #expect(FunctionLengths.all(in: SwiftSource(path: "a.swift", text: text)).map(\.length) == lengths)
    }
}
