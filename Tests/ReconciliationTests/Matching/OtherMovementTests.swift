import AdapterKit
import Domain
import Reconciliation
import Testing

/// A refund in a portal that failed after all, and one of ours over as much, which a report tells before our books know that
/// it succeeded.
@Suite("A line that names another operation and another object of the PSP's than the refund that it is like")
struct OtherMovementTests {
    private static let ours = OperationID("op_01jd3xk5g00000000000000009")

    /// A line of our refund.
    private static func report(_ amount: String = "-10.00", _ kind: SettlementKind = .refund) throws -> Case {
        var example = try Case()
        try example.report(amount, kind) {
            $0.operation = ours
            $0.objectReference = "re_ours"
        }
        return example
    }

    @Test(
        "is no line of it, whatever a rule would say, and no break of it either",
        arguments: [("-10.00", -1_000), ("-9.00", -1_000), ("10.00", -1_000)],
        [true, false]
    )
    func another(amounts: (line: String, expectation: Int64), isOptional: Bool) async throws {
        var example = try Self.report(amounts.line)
        example.expect(amounts.expectation, .refund) {
            $0.objectReference = "re_portal"
            $0.isVoided = isOptional
        }
        example.know("refunding")
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.isEmpty && result.types == [.statusMismatch] && result.accountsForEveryLine)
        let explanation = try #require(result.breaks.first).explanation
        #expect(explanation.hasSuffix("a payment that is refunding and has no such effect."))
    }

    @Test("is in no sum with it")
    func sum() async throws {
        var example = try Self.report("-4.00")
        try example.report("-6.00", .refund)
        example.expect(-1_000, .refund) { $0.objectReference = "re_portal" }
        example.know("refunding")
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.isEmpty && result.types == [.amountMismatch, .statusMismatch])
        #expect(result.breaks.first { $0.type == .amountMismatch }?.lines.map(\.row) == [3])
    }

    @Test(
        "was not reported before with it, nor waits for it",
        arguments: [("re_portal", [BreakType.statusMismatch]), ("re_ours", [.duplicateLine])],
        [true, false]
    )
    func known(row: (name: String, types: [BreakType]), isBeyond: Bool) async throws {
        var example = try Self.report()
        let refund = PaymentMatchCandidate.Effect(
            kind: .refund,
            currency: try #require(Currency(code: "USD")),
            amount: -1_000,
            commission: nil,
            isMatched: !isBeyond,
            at: isBeyond ? Case.moment.adding(milliseconds: 20 * 86_400_000) : Case.moment,
            operation: OperationID("op_01jd3xk5g00000000000000008"),
            objectReference: row.name
        )
        example.inputs.scope.asOf = CalendarDay("2026-11-10")
        example.know("refunding", [refund])
        let isExplained = isBeyond && row.name == "re_ours"
        #expect(try await example.inputs.reconcile().types == (isExplained ? [] : row.types))
    }

    @Test("comes to nothing with what took it back, beside a refund of as much that is not reported yet")
    func canceled() async throws {
        var example = try Self.report()
        try example.report("10.00", .refund) {
            $0.operation = Self.ours
            $0.objectReference = "re_ours"
        }
        example.expect(-1_000, .refund) { $0.objectReference = "re_next" }
        example.know("refunding")
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.isEmpty && result.breaks.isEmpty && result.accountsForEveryLine)
    }

    @Test("is in no sum of which another line names a part")
    func partlyNamed() async throws {
        var example = try Self.report("-15.00")
        example.expect(-1_000, .refund) { $0.objectReference = "re_portal" }
        let subject = Domain.Expectation.Subject.operation(try #require(Self.ours))
        example.expect(-500, .refund) {
            $0.subject = subject
            $0.objectReference = "re_ours"
        }
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.isEmpty && result.types == [.amountMismatch])
        #expect(result.breaks.first?.subject == subject)
    }

    /// A PSP copies the name of what authorized a payment to its charge, and to what takes a part of that back.
    @Test("is one of several lines of a capture all the same")
    func capture() async throws {
        var example = try Case()
        for (amount, name) in [("100.00", "ch_1"), ("-40.00", "re_1")] {
            try example.report(amount) {
                $0.operation = Self.ours
                $0.objectReference = name
            }
        }
        example.expect(6_000) { $0.objectReference = "ch_1" }
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.count == 1 && result.breaks.isEmpty)
    }

    @Test("confirms its own once our books have it")
    func later() async throws {
        var example = try Self.report()
        swap(&example.inputs.lines, &example.inputs.earlierLines)
        for isReturn in [false, true] {
            example.expect(isReturn ? 1_000 : -1_000, .refund) {
                $0.objectReference = "re_portal"
                $0.isVoided = true
            }
        }
        let subject = Domain.Expectation.Subject.operation(try #require(Self.ours))
        example.expect(-1_000, .refund) {
            $0.subject = subject
            $0.objectReference = "re_ours"
        }
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.map(\.subjects) == [[subject]] && result.breaks.isEmpty)
    }

    @Test("is a line of it as long as either has no object's name, or both have one", arguments: ["re_ours", nil])
    func alike(name: String?) async throws {
        var example = try Self.report()
        example.expect(-1_000, .refund) { $0.objectReference = name }
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.count == 1 && result.breaks.isEmpty)
    }
}
