import Domain
import Reconciliation
import SQL
import Storage
import Testing
import TributaryTestKit

/// Reports whose sender goes back to what it had said before it corrected them.
@Suite("A report that is reinstated", .timeLimit(.minutes(10)))
struct ReinstatedReportTests {
    @Test(
        "counts in the place of the one that had taken its own, and can lose it again",
        arguments: DatabaseEngine.allCases
    )
    func reinstated(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            for account in month.settled.accounts.dropFirst() {
                let path = try month.write(month.settled.report(account), as: "\(account).csv")
                _ = try await month.reconcile([path], account)
            }
            _ = try await month.reconcile([try month.write(month.settled.statement, as: "bank.sta")])
            let account = try #require(month.settled.accounts.first)
            let right = try month.write(month.settled.report(account), as: "right.csv")
            let wrong = try month.write(month.settled.report(account) { $1["fee"] = "0.31" }, as: "wrong.csv")
            _ = try await month.reconcile([right], account)
            for path in [wrong, right, wrong, right] {
                let dry = try await month.reconcile([path], account) {
                    ($0.isDryRun, $0.knownFiles) = (true, .reinstated)
                }
                let real = try await month.reconcile([path], account) { $0.knownFiles = .reinstated }
                #expect(real.found == dry.found && real.result.inputs.map(\.isKnown) == [false])
                #expect(try await month.complaints().isEmpty == (path == right))
                let refusal = await #expect(throws: ReconciliationRefusal.self) {
                    try await month.reconcile([path], account) { $0.knownFiles = .reinstated }
                }
                guard case .known(path, _) = refusal else {
                    Issue.record("\(String(describing: refusal))")
                    return
                }
            }
        }
    }

    @Test("is refused as one whose place was taken, unless that is asked for", arguments: DatabaseEngine.allCases)
    func notAsked(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let first = try month.write(month.settled.report(account), as: "first.csv")
            let second = try month.write(month.settled.report(account) { $1["fee"] = "0.31" }, as: "second.csv")
            for (path, isAsked) in [(first, false), (second, false), (first, true)] {
                _ = try await month.reconcile([path], account) { $0.knownFiles = isAsked ? .reinstated : .refused }
            }
            let standing = try await month.standing()
            let refusal = await #expect(throws: ReconciliationRefusal.self) {
                try await month.reconcile([second], account)
            }
            guard case .superseded(second, _, let counting) = refusal, let counting else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(counting.name == "first.csv" && counting.state == .done)
            #expect(refusal?.description.contains("first.csv (\(counting.id)) counts in its place") == true)
            #expect(try await month.standing() == standing)
        }
    }

    @Test("says which file counts where several took one place after the other", arguments: DatabaseEngine.allCases)
    func chained(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let paths = try ["0.31", "0.32", "0.33"].map { (fee: String) in
                try month.write(month.settled.report(account) { $1["fee"] = fee }, as: "\(fee).csv")
            }
            for (path, replaced) in zip(paths, [[], ["0.31.csv"], ["0.32.csv"]]) {
                let taken = try await month.reconcile([path], account).result
                #expect(taken.inputs.map { $0.replaced.map(\.name) } == [replaced])
            }
            let refusal = await #expect(throws: ReconciliationRefusal.self) {
                try await month.reconcile([paths[0]], account)
            }
            guard case .superseded(paths[0], _, let counting) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(counting?.name == "0.33.csv")
            let again = try await month.reconcile([paths[0]], account) { $0.knownFiles = .reinstated }
            #expect(again.result.inputs.map { $0.replaced.map(\.name) } == [["0.33.csv"]])
        }
    }

    @Test("counts together with all that lost their places with it, or not at all", arguments: DatabaseEngine.allCases)
    func parts(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let rows = month.settled.report(account).split(separator: "\n")
            let parts = try [rows[1..<3], rows[3...]].enumerated().map { number, part in
                try month.write((rows.prefix(1) + part).joined(separator: "\n") + "\n", as: "part-\(number).csv")
            }
            let whole = try month.write(month.settled.report(account), as: "whole.csv")
            for path in parts + [whole] { _ = try await month.reconcile([path], account) }
            let standing = try await month.standing()
            for (number, path) in parts.enumerated() {
                let refusal = await #expect(throws: ReconciliationRefusal.self) {
                    try await month.reconcile([path], account) { $0.knownFiles = .reinstated }
                }
                guard case .reinstatedInPart(path, let other) = refusal else {
                    Issue.record("\(String(describing: refusal))")
                    return
                }
                #expect(other.name == "part-\(1 - number).csv")
            }
            #expect(try await month.standing() == standing)
            let both = try await month.reconcile(parts, account) { $0.knownFiles = .reinstated }
            #expect(both.result.inputs.map { $0.replaced.map(\.name) } == [["whole.csv"], ["whole.csv"]])
            #expect(both.found == [])
        }
    }

    @Test("counts as what it was, and as no other account's", arguments: DatabaseEngine.allCases)
    func otherAccount(engine: DatabaseEngine) async throws {
        try await ReconciledMonth.with(engine) { month in
            let account = try #require(month.settled.accounts.first)
            let known = try await month.harness.database.read { session in
                try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: "travel")))
            }
            let other = try #require(known.first { $0.psp == "simulator" && $0.id != account }).id
            let first = try month.write(month.settled.report(account), as: "first.csv")
            let second = try month.write(month.settled.report(account) { $1["fee"] = "0.31" }, as: "second.csv")
            for path in [first, second] { _ = try await month.reconcile([path], account) }
            let (standing, imports) = (try await month.standing(), try await month.importCount())
            for isDry in [true, false] {
                let refusal = await #expect(throws: ReconciliationRefusal.self) {
                    try await month.reconcile([first], other) {
                        ($0.isDryRun, $0.knownFiles) = (isDry, .reinstated)
                    }
                }
                guard case .reinstatedOtherwise(first, _) = refusal else {
                    Issue.record("\(String(describing: refusal))")
                    return
                }
            }
            #expect(try await month.standing() == standing)
            #expect(try await month.importCount() == imports)
            let right = try await month.reconcile([first], account) { $0.knownFiles = .reinstated }
            #expect(right.result.inputs.map { $0.replaced.map(\.name) } == [["second.csv"]])
        }
    }
}
