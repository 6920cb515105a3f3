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
@Suite("Reconciling a month", .timeLimit(.minutes(5)))
struct ReconcilingMonthTests {
    /// Keeps the breaks that a run hands over.
    private struct Keeping: FindingOutput {
        var found: [Break] = []
        mutating func begin(asOf: CalendarDay?) {}
        mutating func take(_ matches: [Match]) {}
        mutating func take(_ breaks: [(id: BreakID, difference: Break)]) { found += breaks.map(\.difference) }
    }

    private struct Month {
        let harness: GatewayHarness
        let settled: SettledMonth
        let folder: TemporaryFolder

        static func with(_ engine: DatabaseEngine, _ body: (Month) async throws -> Void) async throws {
            try await TemporaryFolder.with { folder in
                try await GatewayHarness.with(engine) { harness in
                    var marketplace = try await BusyMarketplace(harness, seed: 7)
                    try await marketplace.live(orders: 12)
                    let settled = try await SettledMonth(harness)
                    try await body(Month(harness: harness, settled: settled, folder: folder))
                }
            }
        }

        func write(_ text: String, as name: String) throws -> String {
            let path = folder.path(name)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }

        func reconcile(
            _ paths: [String],
            _ account: String? = nil,
            in database: (any Database)? = nil
        ) async throws -> (result: ReconciliationResult, found: [Break]) {
            var request = ReconciliationRequest(paths: paths, marketplace: "travel")
            request.psp = account
            let run = ReconciliationRun(
                request,
                rules: .standard,
                formats: ReportFormats(settlementReports: StripeAdapter.settlementReports),
                psps: ["stripe-payout-reconciliation": "simulator"],
                database: database ?? harness.database
            )
            var output = Keeping()
            let result = try await run.run(into: &output) { _ in }
            return (result, output.found)
        }

        /// What stands in the way of a clean month: breaks, money left at PSPs, and broken rules.
        func complaints() async throws -> [String] {
            let accounts = Set(settled.accounts)
            return try await harness.database.read { session in
                var filter = BreakTable.Filter(marketplace: "travel")
                filter.states = [.open, .investigating]
                let breaks = try BreakTable.list(filter, after: nil, limit: 100, in: session)
                let balances = try PSPBalanceTable.balances(of: "travel", in: session)
                let audit = LedgerAudit(of: "travel")
                return breaks.map { "\($0.difference.type.rawValue): \($0.difference.explanation)" }
                    + balances.filter { accounts.contains($0.pspAccount) && $0.clearing != 0 }
                    .map { "\($0.pspAccount) still has \($0.clearing)" }
                    + (try audit.findings(in: LedgerAudit.Part.allCases, session)).map { "\($0)" }
            }
        }
    }

    @Test(
        "explains every line, batch and bank entry, and leaves nothing at the PSPs",
        arguments: DatabaseEngine.allCases
    )
    func clean(engine: DatabaseEngine) async throws {
        try await Month.with(engine) { month in
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
        try await Month.with(engine) { month in
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
        try await Month.with(engine) { month in
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
        try await Month.with(engine) { month in
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
