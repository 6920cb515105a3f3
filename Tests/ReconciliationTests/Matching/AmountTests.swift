import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("An amount against an expectation")
struct AmountTests {
    @Test(
        "agrees, is rounded, or differs, to the last part of a minor unit",
        arguments: [
            ("USD", 1_000, "10.00", [], 0), ("USD", 1_000, "10.000", [], 0),
            ("USD", 1_000, "10.004", [.roundingResidue], 1), ("USD", 1_000, "9.996", [.roundingResidue], -1),
            ("USD", 1_000, "10.01", [.roundingResidue], 1), ("USD", 1_000, "10.0100001", [.amountMismatch], 2),
            ("USD", 1_000, "9.98", [.amountMismatch], -2), ("USD", 1_000, "-10.00", [.directionMismatch], -2_000),
            ("JPY", 1_000, "1000", [], 0), ("JPY", 1_000, "1001", [.roundingResidue], 1),
            ("JPY", 1_000, "1002", [.amountMismatch], 2), ("KWD", 1_000, "1.000", [], 0),
            ("KWD", 1_000, "1.0005", [.roundingResidue], 1), ("KWD", 1_000, "1.01", [.amountMismatch], 10),
            ("USD", .max, "92233720368547758.07", [], 0),
            ("USD", -.max, "92233720368547758.07", [.directionMismatch], .max),
        ] as [(String, Int64, String, [BreakType], Int64)]
    )
    func amounts(currency: String, ours: Int64, theirs: String, types: [BreakType], difference: Int64) async throws {
        var example = try Case(currency)
        example.expect(ours)
        try example.report(theirs)
        let result = try await example.inputs.reconcile()
        #expect(result.types == types)
        #expect(result.lineMatches.count == (types.isEmpty ? 1 : 0))
        #expect(result.breaks.map(\.amount) == (types.isEmpty ? [] : [difference]))
        #expect(result.accountsForEveryLine)
    }

    @Test(
        "may differ by the tolerance, and by one unit more is rounded",
        arguments: [("10.05", 1, nil), ("9.95", 1, nil), ("10.06", 0, .roundingResidue), ("10.07", 0, .amountMismatch)]
            as [(String, Int, BreakType?)]
    )
    func tolerance(theirs: String, matches: Int, type: BreakType?) async throws {
        var example = try Case()
        example.inputs.scope.toleranceMinorUnits = 5
        example.expect(1_000)
        try example.report(theirs)
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.count == matches && result.breaks.first?.type == type)
        #expect(result.lineMatches.allSatisfy { $0.ours.decimal == "10.00" && $0.theirs.decimal == theirs })
    }

    @Test("in another currency differs in that, whatever the figure")
    func currency() async throws {
        var example = try Case()
        example.expect(1_000)
        try example.report("10.00") {
            $0.presentment = try SettlementAmount(decimal: "10.00", currency: #require(Currency(code: "EUR")))
        }
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.currencyMismatch])
        #expect(result.breaks.first?.explanation == "The PSP reports 10.00 EUR where we have 10.00 USD.")
        #expect(result.breaks.first?.subject == example.inputs.expectations.first?.subject)
    }

    @Test("that is not there makes the line unusable")
    func none() async throws {
        var example = try Case()
        try example.report("1.00") { $0.gross = nil }
        #expect(try await example.inputs.reconcile().types == [.unparseableRow])
    }

    @Test("of 64 bits can be added up as often as files have lines")
    func largeSums() async throws {
        var example = try Case()
        let currency = try #require(Currency(code: "JPY"))
        for _ in 0..<40 {
            try example.report("1.00", .fee) {
                $0.gross = try SettlementAmount(minorUnits: .max, currency: currency)
            }
        }
        let result = try await example.inputs.reconcile()
        #expect(result.summary.currencies.first?.lines.trillionths == Int128(Int64.max) * 1_000_000_000_000 * 40)
        #expect(result.accountsForEveryLine && result.breaks.isEmpty)
    }
}
