import Domain
import Foundation
import Reconciliation
import SQL
import StatementFiles
import Storage
import StripeAdapter
import Testing
import TributaryTestKit

/// What a gateway's orders came to, reported by PSPs and the bank, taken in and posted.
@Suite("Reconciling a month", .timeLimit(.minutes(10)))
struct ReconcilingMonthTests {
    @Test(
        "explains every line, batch and bank entry, and leaves nothing at the PSPs",
        arguments: DatabaseEngine.allCases
    )
    func clean(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            for account in month.settled.accounts {
                let path = try month.write(month.settled.report(account), as: "\(account).csv")
                let (result, found) = try await month.reconcile([path], account)
                #expect(found == [])
                #expect(result.summary.met == result.summary.expectations && result.summary.met > 0)
            }
            let bank = try month.write(month.settled.statement, as: "bank.sta")
            let (result, found) = try await month.reconcile([bank])
            #expect(found == [])
            #expect(result.summary.bankEntriesMatched == result.summary.bankEntries)
            let complaints = try await month.complaints()
            #expect(complaints == [])
        }
    }

    @Test("finds what is planted and nothing else, and a corrected file mends it", arguments: DatabaseEngine.allCases)
    func planted(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let wrong = month.settled.report(account) { number, fields in
                switch number {
                case 0: fields["fee"] = "0.31"
                case 1: fields["net"] = "x"
                default: break
                }
            }
            let path = try month.write(wrong, as: "wrong.csv")
            let (_, found) = try await month.reconcile([path], account)
            // What the unreadable row would have confirmed is weeks old, and so it is missed, too.
            #expect(Set(found.map(\.type)) == [.feeMismatch, .unparseableRow, .missingAtPSP])
            let corrected = try month.write(month.settled.report(account), as: "right.csv")
            #expect(try await month.reconcile([corrected], account).found == [])
            for other in month.settled.accounts.dropFirst() {
                let path = try month.write(month.settled.report(other), as: "\(other).csv")
                #expect(try await month.reconcile([path], other).found == [])
            }
            let complaints = try await month.complaints()
            #expect(complaints == [])
        }
    }

    @Test("refuses a file that counts already, and one that holds nothing", arguments: DatabaseEngine.allCases)
    func refusals(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let path = try month.write(month.settled.report(account), as: "one.csv")
            _ = try await month.reconcile([path], account)
            let before = try await month.complaints()
            let error = await #expect(throws: ReconciliationRefusal.self) {
                try await month.reconcile([path], account)
            }
            guard case .known(path, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let head = try #require(month.settled.report(account).split(separator: "\n").first)
            let empty = try month.write(head + "\n", as: "empty.csv")
            await #expect(throws: ReconciliationRefusal.noRows(path: empty)) {
                try await month.reconcile([empty], account)
            }
            #expect(try await month.complaints() == before)
        }
    }

    @Test("ends the same however often it dies on the way", arguments: DatabaseEngine.allCases)
    func interrupted(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            for account in month.settled.accounts {
                let path = try month.write(month.settled.report(account), as: "\(account).csv")
                var writes = 1
                while true {
                    let dying = DyingDatabase(database: month.harness.database, writes: writes)
                    do {
                        let (result, found) = try await month.reconcile([path], account, in: dying)
                        #expect(found == [] && result.summary.met == result.summary.expectations)
                        break
                    } catch DyingDatabase.Death.died {
                        writes += 1
                    }
                }
                #expect(writes > 3)
            }
            let complaints = try await month.complaints()
            #expect(complaints == [])
        }
    }
}
