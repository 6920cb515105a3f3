import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("Fees and commissions")
struct FeeTests {
    private func rules(_ change: (inout PSPTerms) -> Void) throws -> ReconciliationRules {
        var terms = PSPTerms()
        change(&terms)
        return try ReconciliationRules(ReconciliationRules.standard.rules, terms: [.init(psp: "acme", terms)])
    }

    @Test(
        "are compared with what was agreed, rounded half up",
        arguments: [("0.44", []), ("0.45", []), ("0.46", []), ("0.43", [.feeMismatch]), ("0.47", [.feeMismatch])]
            as [(String, [BreakType])]
    )
    func schedule(fee: String, types: [BreakType]) async throws {
        var example = try Case()
        let currency = try #require(Currency(code: "USD"))
        example.inputs.rules = try rules {
            $0.fee = FeeSchedule(basisPoints: 290, fixed: [currency: 30], toleranceMinorUnits: 1)
        }
        example.expect(500)
        try example.report("5.00") {
            let amount = try SettlementAmount(decimal: fee, currency: currency)
            $0.fee = amount
            $0.net = try $0.gross?.subtracting(amount)
        }
        let result = try await example.inputs.reconcile()
        #expect(result.types == types && result.lineMatches.count == 1)
        #expect(result.breaks.allSatisfy { abs($0.amount) == 2 })
    }

    @Test("that do not add up are a break of lines that need no match too")
    func aside() async throws {
        var example = try Case()
        let currency = try #require(Currency(code: "USD"))
        try example.report("10.00", .adjustment) {
            $0.net = try SettlementAmount(decimal: "9.99", currency: currency)
        }
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.feeMismatch] && result.breaks.first?.amount == -1)
        #expect(
            result.breaks.first?.explanation
                == "The net of 9.99 USD is not the gross of 10.00 USD less the fee of 0.00 USD."
        )
        example.inputs.rules = try rules { $0.linesAddUp = false }
        #expect(try await example.inputs.reconcile().breaks.isEmpty)
    }

    @Test(
        "that were frozen have a line only where a PSP says so of all",
        arguments: [(false, 0), (true, 1)]
    )
    func commissionWithoutLine(isRequired: Bool, count: Int) async throws {
        var example = try Case()
        example.inputs.rules = try rules { $0.everyCommissionHasALine = isRequired }
        example.expect(1_000) { $0.commission = 100 }
        try example.report("10.00")
        try example.report("1.00", .commission) { $0.attempt = AttemptID("att_01jd3xk5g00000000000000009") }
        let result = try await example.inputs.reconcile()
        #expect(
            result.breaks.filter { $0.type == .splitMismatch }.map(\.amount) == Array(repeating: -100, count: count)
        )
    }

    @Test("come by another reference than the payment did")
    func commissionElsewhere() async throws {
        var example = try Case()
        example.expect(1_000) {
            $0.commission = 100
            $0.paymentReference = "pay_1"
        }
        try example.report("10.00")
        try example.report("0.90", .commission) {
            $0.attempt = nil
            $0.paymentReference = "pay_1"
        }
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.splitMismatch] && result.breaks.first?.amount == -10)
        #expect(result.lineMatches.count == 1 && result.accountsForEveryLine)
    }

    @Test(
        "of a refund whose line is still to come is not taken for a part of another refund's",
        arguments: [("-11.96", []), ("-11.95", [.splitMismatch])] as [(String, [BreakType])]
    )
    func commissionAhead(_ row: (commission: String, types: [BreakType])) async throws {
        var example = try Case()
        let currency = try #require(Currency(code: "USD"))
        let refunds: [(amount: Int64, commission: Int64)] = [(-14_605, -1461), (-11_961, -1196)]
        for refund in refunds { example.expect(refund.amount, .refund) { $0.commission = refund.commission } }
        example.know(
            "partially_refunded",
            refunds.enumerated().map { place, refund in
                PaymentMatchCandidate.Effect(
                    kind: .refund,
                    currency: currency,
                    amount: refund.amount,
                    commission: refund.commission,
                    isMatched: place == 0,
                    at: Case.moment
                )
            }
        )
        try example.report("-146.05", .refund)
        try example.report("-14.61", .commission)
        try example.report(row.commission, .commission)
        let result = try await example.inputs.reconcile()
        #expect(result.types == row.types, "\(result.breaks)")
        #expect(result.accountsForEveryLine)
    }
}
