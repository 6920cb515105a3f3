import Testing

@Suite("Locks")
struct LockRulesTests {
    private static func findings(_ text: String) -> [Int] {
        LockRules.wakes(SwiftSource(path: "Sources/Inn/Bell.swift", text: text)).map(\.line)
    }

    @Test(
        "nobody is woken under one",
        arguments: [
            (".withLock { $0.guests.values.forEach { $0.yield(1) } }", [1]),
            (".withLock { state in\n    if state.isOver {\n        guest.resume()\n    }\n}", [3]),
            ("let a = b.withLock({ $0.guest.finish() })", [1]),
            ("b.withLock { state in\n    for guest in state.guests {}\n    state.task?.cancel()\n}", [3]),
            ("b.withLock { c.withLock { $0 = 1 }\n    guest.yield() }", [2]),
        ]
    )
    func under(text: String, lines: [Int]) { #expect(Self.findings(text) == lines) }

    @Test(
        "whoever waits is woken behind it",
        arguments: [
            "for guest in b.withLock({ $0.guests }) { guest.yield(1) }", "b.withLock { $0.guest }?.resume()",
            "let guests = b.withLock { state in\n    Array(state.guests)\n}\nfor guest in guests { guest.finish() }",
            "b.withLock { $0.finish(isDelivered: true) }", "guest.cancel()\nb.withLock { $0 = 1 }",
            "// b.withLock { guest.yield() }",
        ]
    )
    func behind(text: String) { #expect(Self.findings(text) == []) }

    @Test("the tree wakes nobody under one")
    func tree() {
        #expect(SourceTree.shipped.flatMap(LockRules.wakes).map(\.description) == [])
        #expect(SourceTree.shipped.contains { source in source.code.contains { $0.contains(".withLock {") } })
    }
}
