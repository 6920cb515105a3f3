import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("Several lines and several effects")
struct CardinalityTests {
    @Test("of one key match by amount first, then by what adds up")
    func sums() async throws {
        var example = try Case()
        example.expect(1_000)
        example.expect(700)
        example.expect(300)
        for amount in ["10.00", "6.00", "4.00"] { try example.report(amount) }
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty)
        #expect(result.lineMatches.map { [$0.lines.count, $0.subjects.count] } == [[1, 1], [2, 2]])
    }

    @Test("of one batch go to the one effect they come to")
    func batches() async throws {
        var example = try Case()
        for amount in [1_000, 2_000, 5_000] as [Int64] { example.expect(amount) }
        for (amount, batch) in [("6.00", "b1"), ("4.00", "b1"), ("15.00", "b2"), ("5.00", "b2")] {
            try example.report(amount) { $0.batch = batch }
        }
        example.inputs.scope.asOf = CalendarDay("2026-11-10")
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty && result.summary.waiting == 1)
        #expect(Set(result.lineMatches.map(\.batch)) == ["b1", "b2"] && result.lineMatches.count == 2)
    }

    @Test("are a capture and what was not captured of it")
    func partialCapture() async throws {
        var example = try Case()
        example.expect(6_000)
        try example.report("100.00")
        try example.report("-40.00")
        #expect(try await example.inputs.reconcile().lineMatches.map(\.lines.count) == [2])
    }

    @Test("do not match where a rule is one to one", arguments: Cardinality.allCases)
    func cardinality(cardinality: Cardinality) async throws {
        var example = try Case()
        example.inputs.rules = try ReconciliationRules(
            [ReconciliationRule(id: "only", level: .line, key: .attempt, cardinality: cardinality)]
        )
        example.expect(1_000)
        try example.report("4.00")
        try example.report("6.00")
        let result = try await example.inputs.reconcile()
        let matches = cardinality == .manyToOne || cardinality == .manyToMany
        #expect(result.lineMatches.count == (matches ? 1 : 0) && result.breaks.isEmpty == matches)
        #expect(result.accountsForEveryLine)
    }

    @Test("that take each other back, of which we know nothing, are no break")
    func canceled() async throws {
        var example = try Case()
        try example.report("-5.00", .refund)
        try example.report("5.00", .refund)
        example.know("captured")
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty && result.matches.isEmpty && result.accountsForEveryLine)
    }

    @Test("of one payment that is short are one break over all of them")
    func short() async throws {
        var example = try Case()
        example.expect(1_000)
        try example.report("4.00")
        try example.report("5.00")
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.amountMismatch] && result.breaks.first?.amount == -100)
        #expect(result.breaks.first?.lines.count == 2)
    }

    @Test("with one key that thousands share name nothing, and stay in memory that does not grow")
    func hotKey() async throws {
        var example = try Case()
        for number in 0..<(Reconciler.keyLimit + 1) {
            try example.report("1.00") { $0.row = number + 2 }
            example.inputs.lines[number].entryReference = "entry_\(number)"
        }
        example.expect(100)
        example.inputs.scope.asOf = CalendarDay("2026-11-10")
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.isEmpty && result.summary.waiting == 1 && result.accountsForEveryLine)
        #expect(result.summary.breaks == [.missingInOurs: Reconciler.keyLimit + 1])
    }
}
