import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The proof of an order", .timeLimit(.minutes(10)))
struct OrderProofTests {
    @Test("goes from the line to the bank and to the merchant", arguments: DatabaseEngine.allCases)
    func proof(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let earlier = try await shop.sell("airline", 1_000, as: "p0")
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let payouts = try await Self.pay(order.payments[0].merchant, [500, 4_000, 9_000], in: &shop)
            let expectation = try await shop.expectation(order)
            let file = shop.file("psp")
            let line = try Shop.line(1, .payment, 10_000, fee: 300)
            let payoutLine = try Shop.line(2, .payout, -9_700)
            let payoutPlace = ImportPlace(file: file.id, row: 2)
            let match = LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "operation", with: expectation)
            let batch = BatchMatch(file: file.id, batch: "B1", payout: payoutPlace, rule: "batch")
            try await shop.take(file, [line, payoutLine], [match], payouts: [batch])
            let bank = shop.file("bank", of: nil)
            let credits = try await Self.takeBank(bank, payoutPlace, payouts[1], in: &shop)

            let found = try await database.read {
                try OrderProofTable.proof(of: order.id, marketplace: "travel", in: $0)
            }
            let proof = try #require(found)
            #expect(proof.lines.map(\.line) == [line])
            #expect(proof.lines.map(\.match) == [match])
            #expect(proof.lines.map(\.file) == ["psp.csv"])
            #expect(proof.lines.map(\.sha256) == ["psp"])
            #expect(proof.payouts.map(\.line) == [payoutLine])
            #expect(proof.payouts.map(\.place) == [payoutPlace])
            #expect(proof.payouts.map(\.rule) == ["batch"])
            #expect(Set(proof.credits.map(\.payout)) == [.line(payoutPlace), .recorded(payouts[1])])
            #expect(Set(proof.credits.map(\.entry)) == Set(credits))
            #expect(proof.credits.map(\.file) == ["bank.csv", "bank.csv"])
            // 8774 of the order are behind 845 of the earlier one.
            #expect(proof.coverage.map(\.payout) == [payouts[1], payouts[2]])
            #expect(proof.coverage.map(\.covered) == [3_655, 5_119])
            #expect(proof.entries.map(\.kind) == [.authorization, .capture])
            #expect(proof.entries.map(\.payment) == [order.payments[0].id, order.payments[0].id])
            #expect(proof.breaks == [])
            let empty = try await database.read { session in
                try OrderProofTable.proof(of: earlier.id, marketplace: "travel", in: session)
            }
            #expect(empty?.lines == [])
            #expect(empty?.credits.map(\.payout) == [.recorded(payouts[1])])
            #expect(empty?.coverage.map(\.covered) == [500, 345])
            let none = try await database.read { try OrderProofTable.proof(of: order.id, marketplace: "o", in: $0) }
            #expect(none == nil)
            try await Self.expectUnmatched(in: database, payouts: [], entries: [3])
            // What the report explains is open again where the report is about to be superseded, and the other way round.
            try await Self.expectUnmatched(in: database, releasing: [file.id], payouts: [], entries: [1, 3])
            try await Self.expectUnmatched(in: database, releasing: [bank.id], payouts: [2], entries: [])
        }
    }

    @Test("what nothing explains yet is gone through again, page by page", arguments: DatabaseEngine.allCases)
    func unmatched(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (file, waiting) = (shop.file("psp"), shop.file("waiting"))
            let lines = [
                try Shop.line(1, .payment, 10), try Shop.line(2, .fee, -1), try Shop.line(3, .refund, -4),
                try Shop.line(4, .payout, -5), try Shop.line(5, .payout, -6),
            ]
            try await shop.take(file, lines)
            try await database.write { session in
                _ = try ImportTable.begin(waiting, in: session)
                try SettlementLineTable.add([try Shop.line(1, .payment, 10, batch: "B2")], to: waiting, in: session)
            }
            func rows(
                _ page: @escaping @Sendable (ImportPlace?, any Session) throws -> [UnmatchedTable.Line]
            ) async throws -> [Int] {
                try await database.read { session in
                    var (rows, last): ([Int], ImportPlace?) = ([], nil)
                    while let line = try page(last, session).first {
                        rows.append(line.place.row)
                        last = line.place
                    }
                    return rows
                }
            }
            let effects = try await rows {
                try UnmatchedTable.lines(of: "sim-a", marketplace: "travel", after: $0, limit: 1, in: $1)
            }
            #expect(effects == [1, 3])
            let payouts = try await rows { try UnmatchedTable.payouts(of: "travel", after: $0, limit: 1, in: $1) }
            #expect(payouts == [4, 5])
        }
    }

    /// Expects payout lines and bank entries to be open, by their rows; of other days there is none.
    private static func expectUnmatched(
        in database: any Database,
        releasing: Set<ImportID> = [],
        payouts: [Int],
        entries: [Int]
    ) async throws {
        let days = try #require(CalendarDay("2027-01-10"))...#require(CalendarDay("2027-01-17"))
        let next = days.upperBound.adding(days: 1)
        let (lines, booked, others) = try await database.read { session in
            (
                try UnmatchedTable.payouts(of: "travel", releasing: releasing, after: nil, limit: 9, in: session),
                try UnmatchedTable.bankEntries(
                    of: "travel",
                    booked: days,
                    releasing: releasing,
                    after: nil,
                    limit: 9,
                    in: session
                ),
                try UnmatchedTable.bankEntries(
                    of: "travel",
                    booked: next...next,
                    releasing: releasing,
                    after: nil,
                    limit: 9,
                    in: session
                )
            )
        }
        #expect(lines.map(\.line.row) == payouts)
        #expect(booked.map(\.entry.row) == entries)
        #expect(booked.allSatisfy { $0.sha256 == "bank" } && others == [])
    }

    private static func pay(_ merchant: MerchantID, _ amounts: [Int64], in shop: inout Shop) async throws -> [PayoutID]
    {
        var payouts: [PayoutID] = []
        for amount in amounts {
            shop.now = shop.now.adding(milliseconds: 1000)
            let draft = try PayoutDraft(
                marketplace: "travel",
                merchant: merchant,
                amount: try Money(minorUnits: amount, currency: try Shop.currency()),
                reference: "SEPA \(amount)",
                paidAt: nil,
                origin: .operator
            )
            let payout = Payout(draft, id: shop.make(), at: shop.now)
            let entry: EntryID = shop.make()
            try await shop.database.write { try PayoutTable.insert(payout, covers: "{}", entry: entry, in: $0) }
            payouts.append(payout.id)
        }
        return payouts
    }

    /// A statement with the PSP's payout, one to a merchant, and an entry that nothing explains.
    private static func takeBank(
        _ bank: ImportedFile,
        _ line: ImportPlace,
        _ payout: PayoutID,
        in shop: inout Shop
    ) async throws -> [ImportedBankEntry] {
        let entries = try [9_700, -4_000, 12].enumerated().map { number, amount in
            ImportedBankEntry(
                row: number + 1,
                hash: [UInt8(number)],
                account: "DE00",
                amount: try Shop.amount(Int64(amount)),
                bookedOn: "2027-01-17",
                reference: "e2e \(number)"
            )
        }
        let matches = [
            BankMatch(entry: ImportPlace(file: bank.id, row: 1), payout: .line(line), rule: "amount"),
            BankMatch(entry: ImportPlace(file: bank.id, row: 2), payout: .recorded(payout), rule: "reference"),
        ]
        try await shop.database.write { session in
            _ = try ImportTable.begin(bank, in: session)
            try BankEntryTable.add(entries, to: bank, in: session)
            try MatchTable.add(matches, of: "travel", in: session)
        }
        try await shop.finish(bank, 3, 0)
        return Array(entries.prefix(2))
    }
}
