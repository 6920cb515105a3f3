import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("A batch")
struct BatchTests {
    private static let key = "batch_sum_mismatch/acme/eu/P/USD"
    private static let earlierPlace = LinePlace(file: Inputs.earlierFile.sha256, row: 9)

    private static func usd(_ units: Int64) throws -> SettlementAmount {
        try SettlementAmount(minorUnits: units, currency: #require(Currency(code: "USD")))
    }

    /// A file whose lines are some fees of a batch, and what the batch paid out, if it did.
    private static func inputs(_ lines: [Int64], paidOut: Int64?) throws -> Inputs {
        var inputs = Inputs()
        for (row, units) in (lines + [paidOut.map { -$0 }].compactMap(\.self)).enumerated() {
            let isPayout = row == lines.count
            var line = SettlementLine(row: row + 2, kind: isPayout ? .payout : .adjustment, type: "t")
            line.net = try usd(units)
            line.batch = "P"
            line.occurredOn = SettlementDate("2026-11-10")
            inputs.lines.append(line)
        }
        return inputs
    }

    /// What files that count already have of the batch.
    private static func earlier(_ lines: [Int64], paidOut: Int64?) throws -> EarlierBatch {
        let currency = try #require(Currency(code: "USD"))
        var batch = EarlierBatch(name: .init(account: Inputs.account, batch: "P"), currency: currency)
        batch.sums = try lines.map(usd)
        batch.lines = lines.count
        if let paidOut {
            batch.payouts = [.init(place: earlierPlace, net: try usd(-paidOut), day: "2026-11-07")]
        }
        return batch
    }

    /// What is in this file and in earlier ones, and by how much the batch then differs; nil if nothing is said of it.
    struct Example: Sendable {
        var lines: [Int64]
        var paidOut: Int64?
        var earlier: [Int64]
        var paidOutEarlier: Int64?
        var difference: Int64?
    }

    @Test(
        "is compared with all that files have of it",
        arguments: [
            // Its lines come in two files, the payout with the last ones, the first ones, or apart.
            Example(lines: [400, 500], paidOut: 1_200, earlier: [100, 200], difference: 0),
            Example(lines: [400, 500], earlier: [100, 200], paidOutEarlier: 1_200, difference: 0),
            Example(lines: [], paidOut: 300, earlier: [100, 200], difference: 0),
            // It still lacks something.
            Example(lines: [400], paidOut: 1_200, earlier: [100, 200], difference: 500),
            Example(lines: [400], earlier: [100, 200], paidOutEarlier: 1_200, difference: 500),
            // What is paid out comes to what is here, and what was there before is not paid out, or not all of it.
            Example(lines: [400], paidOut: 400, earlier: [100], difference: -100),
            Example(lines: [400], paidOut: 400, earlier: [100, 200], paidOutEarlier: 250, difference: -50),
            // Another batch had its name, and was paid out.
            Example(lines: [400], paidOut: 400, earlier: [100], paidOutEarlier: 100, difference: 0),
            Example(lines: [400], earlier: [100], paidOutEarlier: 100),
            // Nothing was paid out yet.
            Example(lines: [400], earlier: [100]),
        ]
    )
    func several(example: Example) async throws {
        var inputs = try Self.inputs(example.lines, paidOut: example.paidOut)
        inputs.directory.batches = [try Self.earlier(example.earlier, paidOut: example.paidOutEarlier)]
        let result = try await inputs.reconcile()
        let agrees = example.difference == 0
        #expect(result.matches.map(\.batch) == (agrees ? ["P"] : []))
        #expect(result.agreed == (agrees ? [Self.key] : []))
        #expect(result.summary.batchesOpen == (example.difference == nil ? 1 : 0))
        let differs = example.difference.map { $0 != 0 } ?? false
        #expect(result.breaks.map(\.type) == (differs ? [.batchSumMismatch] : []))
        #expect(result.breaks.map(\.key) == (differs ? [Self.key] : []))
        #expect(result.breaks.allSatisfy { $0.amount == example.difference })
        if example.paidOut == nil {
            let lines = result.matches.flatMap(\.lines) + result.breaks.flatMap(\.lines)
            #expect(lines == (example.difference == nil ? [] : [Self.earlierPlace]))
        }
    }

    @Test("agrees with what was paid out but for what earlier files tell twice, lines and payout alike")
    func repeated() async throws {
        var inputs = try Self.inputs([400], paidOut: 700)
        inputs.lines[1].entryReference = "txn_1"
        var earlier = try Self.earlier([300, 300], paidOut: nil)
        earlier.repeated = [try Self.usd(300)]
        earlier.payouts = [.init(place: Self.earlierPlace, net: try Self.usd(-700), day: "2026-11-07", entry: "txn_1")]
        inputs.directory.batches = [earlier]
        let result = try await inputs.reconcile()
        #expect(result.breaks.isEmpty && result.agreed == [Self.key])
    }

    @Test("is paid out once where an earlier file tells the payout, too", arguments: [true, false])
    func told(isTold: Bool) async throws {
        var inputs = try Self.inputs([400], paidOut: 400)
        inputs.lines[1].entryReference = "txn_1"
        let currency = try #require(Currency(code: "USD"))
        inputs.movements = [
            BankMovement(
                place: LinePlace(file: String(repeating: "c", count: 64), row: 1),
                account: "DE00",
                currency: currency,
                amount: 7,
                day: try #require(CalendarDay("2026-12-30"))
            )
        ]
        let entry = PayoutEntry(account: Inputs.account, entry: "txn_1", currency: currency)
        if isTold { inputs.directory.toldPayouts = [entry] }
        let result = try await inputs.reconcile()
        #expect(result.types == (isTold ? [] : [.payoutMismatch]))
    }

    @Test(
        "agrees where its fees have fractions, which nobody pays out, and not where a whole unit is missing",
        arguments: [(49_992, nil), (49_999, nil), (50_000, -1), (49_981, nil), (49_980, 1)] as [(Int64, Int64?)]
    )
    func fractions(thousandths: Int64, difference: Int64?) async throws {
        var inputs = try Self.inputs([1], paidOut: 4_999)
        let currency = try #require(Currency(code: "USD"))
        inputs.lines[0].net = SettlementAmount(exactly: thousandths, decimals: 3, currency: currency)
        let result = try await inputs.reconcile()
        #expect(result.breaks.map(\.amount) == (difference.map { [$0] } ?? []))
        #expect(result.matches.map(\.batch) == (difference == nil ? ["P"] : []))
    }

    @Test("does not count a line twice that an earlier file left open")
    func open() async throws {
        var inputs = try Self.inputs([400], paidOut: 1_200)
        var line = inputs.lines[0]
        line.kind = .payment
        line.net = try Self.usd(100)
        line.attempt = AttemptID("att_01jd3xk5g00000000000000009")
        inputs.earlierLines = [line]
        inputs.directory.batches = [try Self.earlier([100, 700], paidOut: nil)]
        let result = try await inputs.reconcile()
        #expect(result.breaks.map(\.type) == [.missingInOurs] && result.agreed == [Self.key])
    }
}
