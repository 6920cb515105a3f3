import Domain
import Testing
import TributaryTestKit

/// Money that moves more than once under one name, told in one file after the other.
@Suite("Money that comes back, or goes again", .timeLimit(.minutes(10)))
struct ReturningMoneyTests {
    @Test(
        "of a refund that fails after all leaves nothing open, whenever the PSP says that it failed",
        arguments: DatabaseEngine.allCases,
        ["before the files", "between them", "behind them"]
    )
    func failedRefund(engine: DatabaseEngine, told: String) async throws {
        try await ReportedSale.with(engine) { sale in
            let refund = try await sale.refund(100)
            let there = ReportedSale.Line(category: "refund", amount: -100, entry: "txn_there", object: refund)
            let back = ReportedSale.Line(category: "refund_failure", amount: 100, entry: "txn_back", object: refund)
            if told == "before the files" { try await sale.fail(refund) }
            #expect(try await sale.take([ReportedSale.sale(), there], as: "one") == [])
            sale.nextDay()
            if told == "between them" { try await sale.fail(refund) }
            let isKnown = told != "behind them"
            #expect(try await sale.take([back], as: "two") == (isKnown ? [] : [.statusMismatch]))
            sale.nextDay()
            if !isKnown { try await sale.fail(refund) }
            #expect(try await sale.take([ReportedSale.payout(10_000)], as: "three") == [])
            let leftovers = try await sale.leftovers()
            #expect(leftovers == [])
        }
    }

    @Test("of a refund that failed is missed if only its first line is there", arguments: DatabaseEngine.allCases)
    func halfReported(engine: DatabaseEngine) async throws {
        try await ReportedSale.with(engine) { sale in
            let refund = try await sale.refund(100)
            let there = ReportedSale.Line(category: "refund", amount: -100, entry: "txn_there", object: refund)
            let back = ReportedSale.Line(category: "refund_failure", amount: 100, entry: "txn_back", object: refund)
            #expect(try await sale.take([ReportedSale.sale(), there], as: "one") == [])
            try await sale.fail(refund)
            for _ in 0..<10 { sale.nextDay() }
            #expect(try await sale.take([ReportedSale.payout(10_000)], as: "two") == [.missingAtPSP])
            #expect(try await sale.leftovers() == ["missing_at_psp"])
            #expect(try await sale.take([back], as: "three") == [])
            let leftovers = try await sale.leftovers()
            #expect(leftovers == [])
        }
    }

    /// Lets a dispute take, be won, and take again; each is told in a file of its own.
    private static func disputeTwice(_ sale: ReportedSale, _ last: [ReportedSale.Line]) async throws -> [BreakType] {
        try await sale.dispute(.opened)
        #expect(try await sale.take([ReportedSale.sale(), taking("txn_taken")], as: "one") == [])
        sale.nextDay()
        try await sale.dispute(.won)
        let won = ReportedSale.Line(category: "dispute_reversal", amount: 2_000, entry: "txn_won", object: "dp_0001")
        #expect(try await sale.take([won], as: "two") == [])
        sale.nextDay()
        try await sale.dispute(.lost)
        return try await sale.take(last, as: "three")
    }

    private static func taking(_ entry: String) -> ReportedSale.Line {
        ReportedSale.Line(category: "dispute", amount: -2_000, entry: entry, object: "dp_0001")
    }

    @Test("of a dispute that takes, is won and takes again leaves nothing open", arguments: DatabaseEngine.allCases)
    func dispute(engine: DatabaseEngine) async throws {
        try await ReportedSale.with(engine) { sale in
            let last = [Self.taking("txn_again"), ReportedSale.payout(8_000)]
            #expect(try await Self.disputeTwice(sale, last) == [])
            let leftovers = try await sale.leftovers()
            #expect(leftovers == [])
        }
    }

    @Test(
        "of a dispute that takes again is a duplicate where that is told twice, and one however often it is looked at",
        arguments: DatabaseEngine.allCases,
        [true, false]
    )
    func repeatedDispute(engine: DatabaseEngine, isInOneFile: Bool) async throws {
        try await ReportedSale.with(engine) { sale in
            let (again, repeated) = (Self.taking("txn_again"), Self.taking("txn_repeated"))
            let found = try await Self.disputeTwice(sale, isInOneFile ? [again, repeated] : [again])
            #expect(found == (isInOneFile ? [.duplicateLine] : []))
            sale.nextDay()
            if !isInOneFile { #expect(try await sale.take([repeated], as: "four") == [.duplicateLine]) }
            #expect(try await sale.take([ReportedSale.payout(8_000)], as: "five") == [.duplicateLine])
            let complaints = try await sale.complaints()
            #expect(complaints == ["duplicate_line"])
        }
    }
}
