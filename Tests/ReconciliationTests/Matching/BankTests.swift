import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("Payouts at the bank")
struct BankTests {
    private func inputs(_ payouts: [(String, Int64, String)]) throws -> Inputs {
        var inputs = Inputs()
        let currency = try #require(Currency(code: "USD"))
        for (row, (name, amount, day)) in payouts.enumerated() {
            var line = SettlementLine(row: row + 2, kind: .payout, type: "payout")
            line.net = try SettlementAmount(minorUnits: -amount, currency: currency)
            line.objectReference = name
            line.paidOn = SettlementDate(day)
            inputs.lines.append(line)
        }
        return inputs
    }

    private func entry(_ amount: Int64, _ day: String, _ text: String = "", row: Int = 1) throws -> BankMovement {
        BankMovement(
            place: LinePlace(file: Inputs.bankFile, row: row),
            account: "DE00",
            currency: try #require(Currency(code: "USD")),
            amount: amount,
            day: try #require(CalendarDay(day)),
            text: text
        )
    }

    @Test(
        "are one credit for several, of one day or by their names",
        arguments: ["", "payout_1 payout_2 payout_3", "PAYOUT-1, PAYOUT-2;PAYOUT-3"]
    )
    func several(text: String) async throws {
        var inputs = try inputs([
            ("payout_1", 100, "2026-11-10"), ("payout_2", 250, "2026-11-10"), ("payout_3", 3, "2026-11-10"),
        ])
        inputs.movements = [try entry(353, "2026-11-12", text)]
        let result = try await inputs.reconcile()
        #expect(result.breaks.isEmpty && result.matches.map(\.lines.count) == [3])
        #expect(result.matches.map(\.rule) == [text.isEmpty ? "bank-amount-and-date" : "bank-reference"])
    }

    @Test(
        "are missed once the statement covers them and the days that they take",
        arguments: [("2026-11-14", []), ("2026-11-15", [.payoutMismatch])] as [(String, [BreakType])]
    )
    func absent(day: String, types: [BreakType]) async throws {
        var inputs = try inputs([("payout_1", 100, "2026-11-10")])
        inputs.movements = [try entry(7, day)]
        let result = try await inputs.reconcile()
        #expect(result.types == types && result.breaks.allSatisfy { $0.amount == -100 })
    }

    @Test("are not missed where there is no statement, and are where an empty one covers them")
    func coverage() async throws {
        let inputs = try inputs([("payout_1", 100, "2026-11-10")])
        #expect(try await inputs.reconcile().breaks.isEmpty)
        let reconciler = Reconciler(scope: ReconciliationScope())
        try reconciler.add(inputs.lines, of: Inputs.file)
        reconciler.add(
            statementThrough: try #require(CalendarDay("2026-11-30")),
            currency: try #require(Currency(code: "USD"))
        )
        var recorder = Recorder()
        _ = try await reconciler.finish(lookup: Directory(), into: &recorder)
        #expect(recorder.breaks.map(\.type) == [.payoutMismatch])
    }

    @Test("by name are found in front of others of the same amount, and differ by it")
    func named() async throws {
        var inputs = try inputs([("payout_1", 100, "2026-11-10"), ("payout_2", 100, "2026-11-10")])
        inputs.movements = [try entry(99, "2026-11-11", "payout_1"), try entry(100, "2026-11-11", row: 2)]
        let result = try await inputs.reconcile()
        #expect(result.types == [.payoutMismatch] && result.breaks.first?.amount == -1)
        #expect(result.matches.map(\.lines) == [[LinePlace(file: Inputs.file.sha256, row: 3)]])
    }

    @Test("that debit our account are a debit at the bank, by name or amount", arguments: ["payout_1", ""])
    func debit(text: String) async throws {
        var inputs = try inputs([("payout_1", -500, "2026-11-10"), ("payout_2", 500, "2026-11-10")])
        inputs.movements = [try entry(-500, "2026-11-12", text), try entry(500, "2026-11-12", row: 2)]
        let result = try await inputs.reconcile()
        #expect(result.breaks.isEmpty)
        let matched = result.matches.filter { $0.level == .bank }
            .map { "\($0.entries.map(\.row)) \($0.lines.map(\.row))" }
        #expect(matched.sorted() == ["[1] [2]", "[2] [3]"])
        inputs.movements = [try entry(500, "2026-11-15", "payout_2")]
        let missed = try await inputs.reconcile()
        #expect(missed.types == [.payoutMismatch] && missed.breaks.first?.amount == 500)
    }

    @Test("that came back to the PSP are no debit", arguments: ["batch", "name", "amount"])
    func returned(sign: String) async throws {
        var inputs = try inputs([("payout_1", 100, "2026-11-10"), ("payout_1", -100, "2026-11-12")])
        for place in inputs.lines.indices where sign != "name" {
            inputs.lines[place].objectReference = nil
            if sign == "batch" { inputs.lines[place].batch = "batch_1" }
        }
        inputs.movements = [try entry(7, "2026-11-20")]
        let result = try await inputs.reconcile()
        #expect(result.types == [.payoutMismatch] && result.breaks.first?.amount == -100)
    }

    @Test("are not what an entry names another one by, whatever its amount")
    func namesAnother() async throws {
        let pair = [("payout_1", 100, "2026-11-10"), ("payout_2", 100, "2026-11-10")] as [(String, Int64, String)]
        var both = try inputs(pair)
        both.movements = [
            try entry(100, "2026-11-11", "payout_1"), try entry(100, "2026-11-11", "payout_1", row: 2),
            try entry(7, "2026-11-20", row: 3),
        ]
        let result = try await both.reconcile()
        #expect(result.breaks.map(\.amount).sorted() == [-100, 100])
        #expect(result.matches.map(\.lines) == [[LinePlace(file: Inputs.file.sha256, row: 2)]])
        // One that an earlier statement explained is not handed over again; its names are.
        let reconciler = Reconciler(scope: ReconciliationScope())
        try reconciler.add(try inputs([pair[1]]).lines, of: Inputs.file)
        for movement in both.movements.dropFirst() { try reconciler.add(movement) }
        reconciler.add(explainedPayout: ["payout_1"])
        var recorder = Recorder()
        _ = try await reconciler.finish(lookup: Directory(), into: &recorder)
        #expect(recorder.breaks.map(\.type) == [.payoutMismatch] && recorder.matches.isEmpty)
    }

    @Test(
        "in parts that all name one are that one where they come to it, and else differ from it together",
        arguments: [([60, 40], nil), ([60, 30], -10), ([60, 30, 20], 10)] as [([Int64], Int64?)]
    )
    func parts(amounts: [Int64], difference: Int64?) async throws {
        var inputs = try inputs([("payout_1", 100, "2026-11-10")])
        for (index, amount) in amounts.enumerated() {
            inputs.movements.append(try entry(amount, "2026-11-1\(index + 1)", "payout_1", row: index + 1))
        }
        let result = try await inputs.reconcile()
        #expect(result.breaks.map(\.amount) == (difference.map { [$0] } ?? []))
        #expect(result.matches.map { $0.entries.map(\.row) } == (difference == nil ? [[1, 2]] : []))
        #expect(result.summary.bankEntriesMatched == (difference == nil ? 2 : 0))
    }

    @Test(
        "are booked once more where entries name one that another explains, unless they take each other back",
        arguments: [([100], 100), ([7], 7), ([-100], nil), ([-100, 100], nil), ([-100, 100, 100], 100)]
            as [([Int64], Int64?)]
    )
    func twice(amounts: [Int64], more: Int64?) async throws {
        var inputs = try inputs([("payout_1", 100, "2026-11-10")])
        inputs.movements = [try entry(100, "2026-11-11", "payout_1")]
        for (index, amount) in amounts.enumerated() {
            inputs.movements.append(try entry(amount, "2026-11-12", "payout_1 again", row: index + 2))
        }
        let result = try await inputs.reconcile()
        #expect(result.breaks.map(\.amount) == (more.map { [$0] } ?? []))
        #expect(result.breaks.allSatisfy { $0.lines.map(\.row) == amounts.indices.map { $0 + 2 } })
        #expect(result.matches.map { $0.entries.map(\.row) } == [[1]])
    }
}
