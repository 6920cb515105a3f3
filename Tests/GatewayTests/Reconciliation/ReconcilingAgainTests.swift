import Domain
import Foundation
import Reconciliation
import SQL
import Storage
import Testing
import TributaryTestKit

/// Runs that follow others: what earlier files left open, what a corrected file releases, and what a dead run leaves.
@Suite("Reconciling again", .timeLimit(.minutes(10)))
struct ReconcilingAgainTests {
    /// A report that has an unknown line, and lacks another's row.
    private func wrong(_ month: ReconciledMonth, _ account: String) throws -> String {
        try month.write(
            month.settled.report(account) { number, fields in
                if number == 0 {
                    for name in ["source_id", "payment_intent_id", "payment_metadata[attempt]"] { fields[name] = "x" }
                }
            },
            as: "wrong.csv"
        )
    }

    @Test("leaves nothing that counts of a run that dies", arguments: DatabaseEngine.allCases)
    func dead(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            _ = try await month.reconcile([try wrong(month, account)], account)
            let before = try await month.standing()
            #expect(before.contains { $0.hasPrefix("break") })
            let paths = [
                try month.write(month.settled.statement, as: "bank.sta"),
                try month.write(month.settled.report(account) { $1["fee"] = "0.77" }, as: "corrected.csv"),
            ]
            var writes = 1
            while true {
                do {
                    let dying = DyingDatabase(database: month.harness.database, writes: writes)
                    let (_, found) = try await month.reconcile(paths, account, in: dying)
                    #expect(Set(found.map(\.type)) == [.feeMismatch])
                    break
                } catch DyingDatabase.Death.died {
                    #expect(try await month.standing() == before)
                    writes += 1
                }
            }
            #expect(writes > 3)
            #expect(try await month.standing() != before)
        }
    }

    @Test("finds the payouts of a corrected report where they were at the bank", arguments: DatabaseEngine.allCases)
    func corrected(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            for account in month.settled.accounts {
                let path = try month.write(month.settled.report(account), as: "\(account).csv")
                #expect(try await month.reconcile([path], account).found == [])
            }
            let bank = try month.write(month.settled.statement, as: "bank.sta")
            #expect(try await month.reconcile([bank]).found == [])
            let account = try #require(month.settled.accounts.first)
            let corrected = try month.write(
                month.settled.report(account) { $1["source_id"] = ($1["source_id"] ?? "") + "b" },
                as: "corrected.csv"
            )
            let dry = try await month.reconcile([corrected], account) { $0.isDryRun = true }
            #expect(dry.found == [] && dry.result.outcome == nil)
            let (result, found) = try await month.reconcile([corrected], account)
            #expect(found == [])
            #expect(result.summary.bankEntriesMatched == 1)
            // The bank's next statement has nothing, and misses nothing.
            let next = month.settled.emptyStatement
            #expect(try await month.reconcile([try month.write(next, as: "next.sta")]).found == [])
            let complaints = try await month.complaints()
            #expect(complaints == [])
        }
    }

    @Test("says in a dry run of a corrected report what it would find", arguments: DatabaseEngine.allCases)
    func dry(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let first = try month.write(month.settled.report(account), as: "first.csv")
            _ = try await month.reconcile([first], account)
            let before = try await month.standing()
            let corrected = try wrong(month, account)
            let dry = try await month.reconcile([corrected], account) { $0.isDryRun = true }
            #expect(try await month.standing() == before)
            let real = try await month.reconcile([corrected], account)
            #expect(dry.found == real.found && !real.found.isEmpty)
            #expect(dry.result.summary == real.result.summary)
        }
    }

    @Test(
        "compares a line anew whose capture turned out to be another one's, and says by how much they differ",
        arguments: DatabaseEngine.allCases,
        [0, 100]
    )
    func reopened(engine: DatabaseEngine, less: Int64) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let path = try month.write(month.settled.report(account), as: "report.csv")
            #expect(try await month.reconcile([path], account).found == [])
            let (capture, amount) = try await month.replaceCapture(at: account, less: less)
            let before = try await month.standing()
            let dry = try await month.reconcile([path], account) {
                ($0.isDryRun, $0.knownFiles) = (true, .passed)
            }
            #expect(try await month.standing() == before)
            for _ in 0..<2 {
                let real = try await month.reconcile([path], account) { $0.knownFiles = .passed }
                #expect(real.found == dry.found)
                #expect(real.found.map(\.type) == (less == 0 ? [] : [.amountMismatch]))
                #expect(real.found.allSatisfy { abs($0.amount) == less && less < amount })
                let lines = try await month.standing().filter { $0.hasSuffix(" \(capture)") }
                #expect(lines.count == (less == 0 ? 1 : 0))
            }
        }
    }

    @Test(
        "leaves a line as it was matched while what takes its place is not looked at",
        arguments: DatabaseEngine.allCases,
        [true, false]
    )
    func notYetReopened(engine: DatabaseEngine, isOfSomeDays: Bool) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let path = try month.write(month.settled.report(account), as: "report.csv")
            #expect(try await month.reconcile([path], account).found == [])
            _ = try await month.replaceCapture(at: account, less: 100, daysLater: isOfSomeDays ? 0 : 90)
            let before = try await month.standing()
            let real = try await month.reconcile([path], account) {
                $0.knownFiles = .passed
                if isOfSomeDays { $0.scope.to = CalendarDay("2020-01-01") }
            }
            #expect(real.found == [])
            #expect(try await month.standing() == before)
        }
    }

    @Test(
        "says of a commission that was given back before its refund was known by how much it differs, once it is known",
        arguments: DatabaseEngine.allCases,
        [Int64(11), 12]
    )
    func commission(engine: DatabaseEngine, told: Int64) async throws {
        try await ReconciledMonth.with(engine) { month in
            let (line, report) = try month.reportReturning(11)
            try await month.setRefund(line.operation, isKnown: false)
            let path = try month.write(report, as: "report.csv")
            _ = try await month.reconcile([path], line.account)
            #expect(try await month.openSplits() == [-11])
            try await month.setRefund(line.operation, isKnown: true, commission: told)
            for _ in 0..<3 {
                _ = try await month.reconcile([path], line.account) { $0.knownFiles = .passed }
                #expect(try await month.openSplits() == (told == 11 ? [] : [1]))
            }
        }
    }

    @Test("counts ages to the days of its own files", arguments: DatabaseEngine.allCases)
    func asOf(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let (first, second) = (try #require(month.settled.accounts.first), month.settled.accounts.last)
            let later = try month.write(
                month.settled.report(first) { number, fields in
                    guard number == 0 else { return }
                    for name in ["source_id", "payment_intent_id", "payment_metadata[attempt]"] { fields[name] = "x" }
                    fields["created_utc"] = "2031-01-01 00:00:00"
                },
                as: "later.csv"
            )
            let (far, _) = try await month.reconcile([later], first)
            #expect(far.summary.asOf?.description == "2031-01-01")
            let path = try month.write(month.settled.report(second ?? first) { $1["fee"] = "0.01" }, as: "next.csv")
            let (near, _) = try await month.reconcile([path], second)
            #expect(near.summary.asOf?.description == String(month.settled.end.description.prefix(10)))
        }
    }

    @Test("doubts a file that ends inside its last line", arguments: DatabaseEngine.allCases)
    func unterminated(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let path = try month.write(String(month.settled.report(account).dropLast()), as: "cut.csv")
            let (doubted, found) = try await month.reconcile([path], account) { $0.isDryRun = true }
            #expect(found.map(\.type) == [.unparseableRow] && doubted.summary.unusableRows == 1)
            let (believed, none) = try await month.reconcile([path], account) { $0.allowsUnterminated = true }
            #expect(none == [] && believed.summary.unusableRows == 0)
        }
    }

    @Test("refuses a report that ends inside its only row", arguments: DatabaseEngine.allCases)
    func cutInOnlyRow(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let rows = month.settled.report(account).split(separator: "\n")
            let path = try month.write(rows.prefix(2).joined(separator: "\n"), as: "cut.csv")
            for isDry in [true, false] {
                await #expect(throws: ReconciliationRefusal.cutInOnlyRow(path: path)) {
                    try await month.reconcile([path], account) { $0.isDryRun = isDry }
                }
            }
            let (believed, _) = try await month.reconcile([path], account) { $0.allowsUnterminated = true }
            #expect(believed.summary.unusableRows == 0)
            #expect(believed.inputs.map(\.rows) == [1])
        }
    }

    @Test("refuses two versions of one report, and one whose place was taken", arguments: DatabaseEngine.allCases)
    func versions(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let first = try month.write(month.settled.report(account), as: "first.csv")
            let second = try month.write(month.settled.report(account) { $1["fee"] = "0.31" }, as: "second.csv")
            for isDry in [true, false] {
                await #expect(throws: ReconciliationRefusal.versions(path: second, other: first)) {
                    try await month.reconcile([first, second], account) { $0.isDryRun = isDry }
                }
            }
            _ = try await month.reconcile([first], account)
            _ = try await month.reconcile([second], account)
            let standing = try await month.standing()
            let refusal = await #expect(throws: ReconciliationRefusal.self) {
                try await month.reconcile([first], account)
            }
            guard case .superseded(first, _, _) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            _ = try await month.reconcile([first, second], account) { $0.knownFiles = .passed }
            let lines = standing.filter { !$0.hasPrefix("break") }
            #expect(try await month.standing().filter { !$0.hasPrefix("break") } == lines)
            #expect(try await month.complaints().contains { $0.contains("importIsPosted") } == false)
        }
    }

    @Test("gives way to a reconciliation that was faster", arguments: DatabaseEngine.allCases)
    func slower(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let report = try month.write(month.settled.report(account), as: "report.csv")
            let bank = try month.write(month.settled.statement, as: "bank.sta")
            let meddled = MeddledDatabase(database: month.harness.database) {
                _ = try await month.reconcile([bank])
            }
            await #expect(throws: ReconciliationRefusal.disturbed) {
                try await month.reconcile([report], account, in: meddled)
            }
            #expect(try await month.standing().contains { $0.hasPrefix("line") } == false)
            #expect(try await month.reconcile([report], account).found == [])
        }
    }
}
