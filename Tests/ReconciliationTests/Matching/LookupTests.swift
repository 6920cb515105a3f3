import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("A line that meets no expectation")
struct LookupTests {
    private func effect(
        _ amount: Int64,
        isMatched: Bool,
        commission: Int64? = nil
    ) throws -> PaymentMatchCandidate.Effect {
        PaymentMatchCandidate.Effect(
            kind: .payment,
            currency: try #require(Currency(code: "USD")),
            amount: amount,
            commission: commission,
            isMatched: isMatched,
            at: Case.moment
        )
    }

    @Test("was reported before, if its effect is confirmed")
    func before() async throws {
        var example = try Case()
        try example.report("10.00")
        example.know("captured", [try effect(1_000, isMatched: true)])
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.duplicateLine] && result.breaks.first?.payment == example.known("").payment)
    }

    @Test("was reported before, and differs by all that the balance would have changed by", arguments: [true, false])
    func beforeNet(isOfSameFile: Bool) async throws {
        var example = try Case()
        for _ in 0..<(isOfSameFile ? 2 : 1) {
            try example.report("10.00") {
                $0.fee = try SettlementAmount(decimal: "0.30", currency: #require(Currency(code: "USD")))
                $0.net = try SettlementAmount(decimal: "9.70", currency: #require(Currency(code: "USD")))
                $0.entryReference = "txn_1"
            }
        }
        if isOfSameFile {
            example.expect(1_000)
        } else {
            example.know("captured", [try effect(1_000, isMatched: true)])
        }
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.duplicateLine] && result.breaks.first?.amount == 970)
    }

    @Test("is no break, if its effect is outside of the days that were asked for")
    func outside() async throws {
        var example = try Case()
        try example.report("10.00")
        example.inputs.scope.from = CalendarDay("2026-11-11")
        example.know("captured", [try effect(1_000, isMatched: false)])
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty && result.summary.currencies.first?.explained.count == 1)
    }

    @Test("is no break, if effects of it were posted behind the days that are looked at", arguments: [1_000, 900])
    func ahead(amount: Int64) async throws {
        var example = try Case()
        try example.report("10.00")
        example.inputs.scope.asOf = CalendarDay("2026-11-01")
        example.know("captured", [try effect(amount, isMatched: false)])
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty && result.summary.currencies.first?.explained.count == 1)
    }

    @Test("is no duplicate of an effect that was posted a day behind, and waits for nothing if nobody reports it")
    func justAhead() async throws {
        var example = try Case()
        example.expect(1_000)
        example.inputs.scope.asOf = CalendarDay("2026-11-09")
        let unmet = try await example.inputs.reconcile()
        #expect(unmet.breaks.isEmpty && unmet.summary.waiting == 0)
        try example.report("10.00")
        let met = try await example.inputs.reconcile()
        #expect(met.breaks.isEmpty && met.lineMatches.count == 1)
    }

    @Test(
        "is a commission of what is known, which a match says where an earlier file has it",
        arguments: [true, false],
        ["0.90", "0.80"]
    )
    func commission(isEarlier: Bool, amount: String) async throws {
        var example = try Case()
        try example.report(amount, .commission)
        if isEarlier { swap(&example.inputs.lines, &example.inputs.earlierLines) }
        example.know("captured", [try effect(1_000, isMatched: true, commission: 90)])
        let result = try await example.inputs.reconcile()
        let isFrozen = amount == "0.90"
        #expect(result.types == (isFrozen ? [] : [.splitMismatch]) && result.accountsForEveryLine)
        let matches = result.matches.filter { $0.level == .commission }
        #expect(matches.count == (isFrozen && isEarlier ? 1 : 0))
        #expect(matches.allSatisfy { $0.owners.map(\.payment) == [example.known("").payment] })
        #expect(matches.allSatisfy { $0.lines.map(\.file) == [Inputs.earlierFile.sha256] })
    }

    @Test(
        "is a commission of one effect or of all, and differs as long as there is none of its sign",
        arguments: [("0.90", true), ("1.50", true), ("0.60", true), ("0.91", false), ("-0.60", false)]
    )
    func commissionOfSeveral(amount: String, isKnown: Bool) async throws {
        var example = try Case()
        try example.report(amount, .commission)
        example.know(
            "captured",
            [
                try effect(1_000, isMatched: true, commission: 90),
                try effect(700, isMatched: false, commission: 60),
            ]
        )
        let result = try await example.inputs.reconcile()
        #expect(result.types == (isKnown ? [] : [.splitMismatch]) && result.accountsForEveryLine)
    }

    /// Commissions that a PSP gives back of a refund that is known and of one that is not, and by how much they differ.
    typealias Returned = (known: String, unknown: String, differences: [Int64])
    static let returned: [Returned] = [
        ("-0.60", "-0.40", [-40]), ("-0.60", "-0.60", [-60]), ("-0.59", "-0.40", [-40, 1]),
    ]

    @Test(
        "is a commission of a refund that nobody knows yet, whatever another one's is, and differs until it is known",
        arguments: Self.returned,
        [true, false]
    )
    func commissionOfUnknown(lines: Returned, isFirst: Bool) async throws {
        var example = try Case()
        example.expect(-600, .refund) { $0.commission = -60 }
        try example.report("-6.00", .refund)
        try example.report("-4.00", .refund)
        for amount in isFirst ? [lines.known, lines.unknown] : [lines.unknown, lines.known] {
            try example.report(amount, .commission)
        }
        var known = try effect(-600, isMatched: false, commission: -60)
        known.kind = .refund
        example.know("captured", [known])
        let result = try await example.inputs.reconcile()
        let splits = result.breaks.filter { $0.type == .splitMismatch }
        #expect(splits.map(\.amount).sorted() == lines.differences)
        #expect(splits.map { $0.subject == nil } == splits.map { $0.amount < 0 })
        #expect(result.breaks.filter { $0.type != .splitMismatch }.map(\.amount) == [-400])
        #expect(result.accountsForEveryLine)
        // The refund is known by the next run, to which its lines are handed over again.
        example.inputs.earlierLines = example.inputs.lines.filter { line in
            splits.contains { $0.subject == nil && $0.lines.map(\.row) == [line.row] } || line.row == 3
        }
        example.inputs.lines = []
        example.inputs.expectations = []
        example.expect(-400, .refund) { $0.commission = -41 }
        let again = try await example.inputs.reconcile()
        let left = 41 + (splits.first { $0.subject == nil }?.amount ?? 0)
        #expect(again.breaks.map(\.amount) == [left] && again.breaks.allSatisfy { $0.subject != nil })
    }

    @Test(
        "is a commission too much beside that of a refund that nobody knows yet, which is left what is near its share",
        arguments: [["-0.60", "-0.05", "-0.40"], ["-0.40", "-0.60", "-0.05"], ["-0.05", "-0.40", "-0.60"]]
    )
    func commissionBesideUnknown(commissions: [String]) async throws {
        var example = try Case()
        example.expect(-600, .refund) { $0.commission = -60 }
        for amount in ["-6.00", "-4.00"] { try example.report(amount, .refund) }
        for amount in commissions { try example.report(amount, .commission) }
        var known = try effect(-600, isMatched: false, commission: -60)
        known.kind = .refund
        example.know("captured", [known])
        let result = try await example.inputs.reconcile()
        let splits = result.breaks.filter { $0.type == .splitMismatch }
        #expect(splits.map(\.amount).sorted() == [-40, -5])
        #expect(splits.map { $0.subject == nil } == splits.map { $0.amount == -40 })
        #expect(result.accountsForEveryLine)
        let open = result.breaks.filter { $0.subject == nil }.flatMap { $0.lines.map(\.row) }
        example.inputs.earlierLines = example.inputs.lines.filter { open.contains($0.row) }
        (example.inputs.lines, example.inputs.expectations) = ([], [])
        example.expect(-400, .refund) { $0.commission = -40 }
        let again = try await example.inputs.reconcile()
        #expect(again.breaks.isEmpty && again.matches.contains { $0.level == .commission })
    }

    @Test("tells of what the payment never did", arguments: ["voided", "declined"])
    func status(state: String) async throws {
        var example = try Case()
        try example.report("10.00")
        example.know(state, [try effect(900, isMatched: true)])
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.statusMismatch])
        #expect(result.breaks.first?.explanation.contains("that is \(state) and has no such effect") == true)
    }

    @Test("is of a payment that nobody knows", arguments: SettlementKind.allCases)
    func unknown(kind: SettlementKind) async throws {
        var example = try Case()
        try example.report("10.00", kind)
        let result = try await example.inputs.reconcile()
        let types: [BreakType] =
            switch kind {
            case .payment, .commission: [.missingInOurs]
            case .refund, .chargeback, .chargebackReversal: [.refundWithoutOrigin]
            case .fee, .adjustment, .payout, .reserve, .other: []
            }
        #expect(result.types == types && result.accountsForEveryLine)
    }

    @Test("is not looked up in more than a page, and answers have to fit")
    func answers() async throws {
        struct Short: PaymentLookup {
            func payments(for queries: [PaymentQuery]) async throws -> [PaymentMatchCandidate?] { [] }
        }
        var example = try Case()
        try example.report("10.00")
        let reconciler = Reconciler(scope: ReconciliationScope())
        try reconciler.add(example.inputs.lines, of: Inputs.file)
        var recorder = Recorder()
        await #expect(throws: ReconciliationFailure.lookupAnswered(0, of: 1)) {
            _ = try await reconciler.finish(lookup: Short(), into: &recorder)
        }
    }

    @Test("of an unknown kind confirms what it names and equals, and says nothing else")
    func otherKind() async throws {
        var example = try Case()
        example.expect(-1_000, .refund)
        try example.report("-10.00", .other)
        try example.report("3.00", .other)
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.count == 1 && result.breaks.isEmpty && result.accountsForEveryLine)
    }

    @Test("carries a reference, and so does not match by its amount")
    func named() async throws {
        var example = try Case()
        example.expect(1_000)
        try example.report("10.00") {
            $0.attempt = AttemptID("att_01jd3xk5g00000000000000009")
        }
        example.inputs.scope.asOf = CalendarDay("2026-11-10")
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.missingInOurs] && result.summary.waiting == 1)
    }

    @Test(
        "and names nothing matches by amount within the window",
        arguments: [("2026-11-07", 1), ("2026-11-06", 0), ("2026-11-13", 1), ("2026-11-14", 0)]
    )
    func window(day: String, count: Int) async throws {
        var example = try Case()
        example.expect(1_000)
        try example.report("10.00") {
            $0.attempt = nil
            $0.occurredOn = SettlementDate(day)
        }
        #expect(try await example.inputs.reconcile().lineMatches.count == count)
    }

    @Test("names another PSP payment, and goes to the expectation that has it")
    func contradiction() async throws {
        var example = try Case()
        example.expect(1_000) { $0.paymentReference = "pay_1" }
        example.expect(1_000) {
            $0.paymentReference = "pay_2"
            $0.attempt = AttemptID("att_01jd3xk5g00000000000000009") ?? $0.attempt
        }
        try example.report("10.00") { $0.paymentReference = "pay_2" }
        example.inputs.scope.asOf = CalendarDay("2026-11-10")
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.map(\.rule) == ["psp-payment"])
        #expect(result.lineMatches.map(\.subjects) == [[example.inputs.expectations[1].subject]])
        #expect(result.types == [.referenceMismatch])
    }
}
