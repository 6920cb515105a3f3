import Domain
import Reconciliation
import Testing

/// Entries of a bank that several files have.
@Suite("An entry of the bank that another file has")
struct RepeatedEntryTests {
    private static let day = "2026-11-11"

    /// An entry of a file over 100 minor units, with the bank's name of it, the payer's, and what its text is told by.
    private static func entry(
        _ file: Character,
        _ row: Int,
        bank: String? = nil,
        payer: String? = nil,
        hash: UInt8,
        amount: Int64 = 100,
        day: String = day
    ) throws -> BankMovement {
        var entry = BankMovement(
            place: LinePlace(file: String(repeating: file, count: 64), row: row),
            account: "DE00",
            currency: try #require(Currency(code: "USD")),
            amount: amount,
            day: try #require(CalendarDay(day))
        )
        (entry.bankReference, entry.payerReference, entry.hash) = (bank, payer, [hash])
        return entry
    }

    /// Which rows of a file are left out behind files that count.
    private static func repeated(_ own: [BankMovement], behind counting: [BankMovement]) throws -> [Int] {
        let reconciler = Reconciler(scope: ReconciliationScope())
        for entry in own { try reconciler.add(entry) }
        return reconciler.passOver(repeating: counting).keys.map(\.row).sorted()
    }

    @Test("is passed over if it is written alike, or has the bank's name of the other")
    func same() throws {
        let counting = try Self.entry("a", 1, bank: "BANK-0001", payer: "PAYER-01", hash: 1)
        let rows: [(entry: BankMovement, isRepeated: Bool)] = [
            (try Self.entry("b", 1, hash: 1), true),
            (try Self.entry("b", 1, bank: "bank0001", hash: 2), true),
            (try Self.entry("b", 1, bank: "BANK-0001", payer: "PAYER-01", hash: 2), true),
            // A batch has one name at the bank, and its payments each one of the payer.
            (try Self.entry("b", 1, bank: "BANK-0001", payer: "PAYER-02", hash: 2), false),
            (try Self.entry("b", 1, bank: "BANK-0002", hash: 2), false),
            (try Self.entry("b", 1, payer: "PAYER-01", hash: 2), false),
            (try Self.entry("b", 1, bank: "BANK-0001", hash: 1, amount: 101), false),
            (try Self.entry("b", 1, bank: "BANK-0001", hash: 1, day: "2026-11-12"), false),
        ]
        for (number, row) in rows.enumerated() {
            #expect(try Self.repeated([row.entry], behind: [counting]) == (row.isRepeated ? [1] : []), "row \(number)")
        }
        let nameless = try Self.entry("a", 1, bank: "NONREF", hash: 1)
        #expect(try Self.repeated([try Self.entry("b", 1, bank: "NONREF", hash: 2)], behind: [nameless]) == [])
    }

    @Test("is passed over once for each time that one file has it, and never for its own file")
    func often() throws {
        let twice = try [1, 2].map { try Self.entry("b", $0, hash: 1) }
        #expect(try Self.repeated(twice, behind: []) == [])
        #expect(try Self.repeated(twice, behind: [try Self.entry("a", 1, hash: 1)]) == [1])
        #expect(try Self.repeated(twice, behind: [1, 2].map { try Self.entry("a", $0, hash: 1) }) == [1, 2])
        let ofTwo = [try Self.entry("a", 1, hash: 1), try Self.entry("c", 1, hash: 1)]
        #expect(try Self.repeated(twice, behind: ofTwo) == [1])
        // Another file of the same run.
        #expect(try Self.repeated([try Self.entry("a", 9, hash: 1)] + twice, behind: []) == [1])
    }

    @Test("confirms no second payout of its amount")
    func confirms() async throws {
        let usd = try #require(Currency(code: "USD"))
        let lines = try ["payout_1", "payout_2"].enumerated().map { number, name in
            var line = SettlementLine(row: number + 2, kind: .payout, type: "payout")
            line.net = try SettlementAmount(minorUnits: -100, currency: usd)
            line.objectReference = name
            line.paidOn = SettlementDate("2026-11-10")
            return line
        }
        let reconciler = Reconciler(scope: ReconciliationScope())
        try reconciler.add(lines, of: Inputs.file)
        for file: Character in ["a", "b"] { try reconciler.add(try Self.entry(file, 1, bank: "BANK-0001", hash: 1)) }
        try reconciler.add(try Self.entry("b", 2, hash: 2, amount: 7, day: "2026-11-20"))
        #expect(reconciler.passOver(repeating: []).map(\.key.row) == [1])
        var recorder = Recorder()
        let summary = try await reconciler.finish(lookup: Directory(), into: &recorder)
        #expect(summary.bankEntries == 2 && summary.bankEntriesMatched == 1)
        #expect(recorder.breaks.map(\.type) == [.payoutMismatch] && recorder.breaks.first?.amount == -100)
    }
}
