import Testing

@Suite("The write path")
struct WritePathRulesTests {
    private static func source(_ text: String, _ path: String) -> SwiftSource { SwiftSource(path: path, text: text) }

    static let bad = [
        "try OrderWriter.update(after, from: order, record, answer: nil, wakeAt: nil, in: session)",
        "    try OrderWriter.insert(order, record, wakeAt: nil, in: session)", "let writer = OrderWriter.self",
        "try OrderWriter", "typealias Writer = OrderWriter",
    ]

    @Test("an order is stored by its log alone", arguments: bad)
    func secondWriter(text: String) {
        for path in ["Sources/Gateway/Webhooks/A.swift", "Sources/Storage/Orders/A.swift", "Adapters/Stripe/A.swift"] {
            #expect(WritePathRules.secondWriter(Self.source("import Domain\n" + text, path)).map(\.line) == [2])
        }
        #expect(WritePathRules.secondWriter(Self.source(text, WritePathRules.log)).isEmpty)
        #expect(
            WritePathRules.secondWriter(Self.source("// \(text)\nlet a = \"OrderWriter\"", "Sources/A/B.swift")).isEmpty
        )
        #expect(WritePathRules.secondWriter(Self.source("let a = OrderWriterTests()", "Sources/A/B.swift")).isEmpty)
    }

    @Test("the tree has one caller of the order's update")
    func tree() {
        #expect(WritePathRules.updates(Self.source(Self.bad[0], WritePathRules.log)) == 1)
        #expect(SourceTree.shipped.flatMap(WritePathRules.secondWriter) == [])
        #expect(SourceTree.shipped.reduce(0) { $0 + WritePathRules.updates($1) } == 1)
    }
}
