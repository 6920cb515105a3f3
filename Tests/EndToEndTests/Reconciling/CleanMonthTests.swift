import Foundation
import StrictJSON
import Testing
import TributaryTestKit

/// A month that PSPs and the bank report as it was.
@Suite("A month reconciled by command", .timeLimit(.minutes(10)))
struct CleanMonthTests {
    @Test(
        "is explained to the last line, and leaves nothing at the PSPs",
        arguments: DatabaseEngine.allCases,
        BankStatement.Format.allCases
    )
    func clean(_ engine: DatabaseEngine, _ format: BankStatement.Format) async throws {
        try await ReconcilingPlace.with(engine) { place in
            let payout = [
                "payouts", "record", "--merchant", SettledPSP.stripe.merchant, "--amount", "12.34", "--currency", "USD",
                "--reference", "MERCHANT-1", "--paid-at", "2025-10-29",
            ]
            #expect(try await place.work.run(payout).status == 0)
            let reports = SettledPSP.allCases.map(place.report)
            var statement = BankStatement(paying: reports)
            statement.entries.append(.init(amount: -1_234, reference: "MERCHANT-1", day: "2025-10-30"))
            let names = try reports.map(place.write) + [place.write(statement, format)]
            let (finished, json) = try await place.reconciled(names)
            #expect(finished.status == 0, "\(finished.out)\(finished.err)")
            #expect(json["breaks"] == [])
            let summary = try #require(json["summary"])
            #expect(summary["met"] == summary["expectations"] && summary["waiting"] == 0)
            #expect(summary["bank_entries"] == 5 && summary["bank_entries_matched"] == 5)
            #expect(summary["batches_in_order"] == 4)
            let balances = try await place.balances()
            for psp in SettledPSP.allCases where psp.tellsPayouts {
                for account in ["psp/\(psp.account)/clearing", "psp/\(psp.account)/reserve", "suspense/\(psp.account)"]
                {
                    #expect(balances[account] == nil, "\(account)")
                }
            }
            try await place.expectSound()
            #expect(try await place.breaks("--state", "all") == [])
        }
    }

    @Test(
        "is explained as well when its files come one after the other, the bank's first",
        arguments: DatabaseEngine.allCases,
        BankStatement.Format.allCases
    )
    func oneByOne(_ engine: DatabaseEngine, _ format: BankStatement.Format) async throws {
        try await ReconcilingPlace.with(engine) { place in
            let files = MonthFiles(.stripe, place.books)
            let bank = try await place.reconcile([place.write(files.statement, format)])
            #expect(bank.status == 0, "\(bank.out)\(bank.err)")
            let (finished, json) = try await place.reconciled([place.write(files.report)])
            #expect(finished.status == 0, "\(finished.out)\(finished.err)")
            #expect(json["summary"]?["bank_entries_matched"] == 1, "\(finished.out)")
            let proof = try await place.work.json("orders", "proof", "order-0")
            let banked = proof["equations"]?.arrayValue?.first { $0["step"] == "bank" }
            #expect(banked?["verdict"] == "agrees", "\(proof)")
            try await place.expectSound()
        }
    }
}
