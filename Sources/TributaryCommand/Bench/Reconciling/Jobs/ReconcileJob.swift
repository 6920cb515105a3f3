import AdapterKit
import Domain
import Foundation
import PlainJoin
import Reconciliation
import StatementFiles
import StripeAdapter

/// One of the two ways to reconcile a made-up report with the books: ours, and a database's.
///
/// Both read the file with the same reader and are handed the same expectations; making those up does not count.
struct ReconcileJob {
    /// Which way.
    enum Way: String, CaseIterable {
        /// `Reconciler`: hash joins over files without a name.
        case engine
        /// ``PlainJoin/PlainJoin``: two tables of a SQLite file.
        case sql
    }

    /// How many expectations are made up at once.
    private static let pageSize = 1_000

    /// What is reconciled.
    let workload: SettlementWorkload
    /// The folder of the report, where the job writes as well.
    let folder: String

    /// The report in a folder.
    static func path(in folder: String) -> String { folder + "/payout-reconciliation.csv" }

    /// Does the job.
    ///
    /// - Throws: what reading, spilling and SQLite throw, and `CancellationError`.
    func run(_ way: Way) async throws -> MeasuredJob {
        switch way {
        case .engine: try await runEngine()
        case .sql: try runSQL()
        }
    }

    private func runEngine() async throws -> MeasuredJob {
        var meter = JobMeter()
        var scope = ReconciliationScope()
        scope.spillDirectory = folder
        let reconciler = Reconciler(scope: scope)
        let account = SettlementWorkload.account
        let file = Reconciliation.ReportFile(
            account: PSPAccountName(psp: account.psp, account: account.name),
            sha256: String(repeating: "0", count: 64)
        )
        let lines = try readReport { try reconciler.add($0, of: file) }
        try readBooks(&meter) { try reconciler.add($0) }
        var sink = BreakCollector(lines)
        _ = try await reconciler.finish(lookup: NoOtherPayments(), into: &sink)
        sink.end()
        return measured(meter, lines, sink.breaks.sorted())
    }

    private func runSQL() throws -> MeasuredJob {
        var meter = JobMeter()
        let join = try PlainJoin(path: folder + "/plain.sqlite")
        var lines = 0
        try join.load { tables in
            lines = try readReport { for line in $0 { try tables.add(line) } }
            try readBooks(&meter) { for expectation in $0 { try tables.add(expectation) } }
        }
        return measured(meter, lines, try join.breaks().sorted())
    }

    private func measured(_ meter: JobMeter, _ lines: Int, _ breaks: [String]) -> MeasuredJob {
        MeasuredJob(
            lines: lines,
            cpuMicroseconds: meter.cpuMicroseconds,
            wallMicroseconds: meter.wallMicroseconds,
            peakKibibytes: JobMeter.peakKibibytes,
            breaks: breaks
        )
    }

    /// Reads the report as `tributary reconcile` does, and answers how many lines it has.
    private func readReport(_ take: ([SettlementLine]) throws -> Void) throws -> Int {
        let formats = ReportFormats(settlementReports: StripeAdapter.settlementReports, readsBankStatements: false)
        let report = try StatementFiles.ReportFile(path: Self.path(in: folder), formats: formats)
        var bar = ProgressBar("reading the report")
        bar.total = workload.rows
        var count = 0
        while let item = try report.next() {
            switch item {
            case .settlementLines(let lines):
                try Task.checkCancellation()
                try take(lines)
                count += lines.count
                bar.advance(by: lines.count)
            case .settlementEnd(let trailer) where trailer.unusableCount > 0:
                throw CommandFailure.finding("\(trailer.unusableCount) rows of the report cannot be read")
            default: break
            }
        }
        bar.hide()
        return count
    }

    private func readBooks(_ meter: inout JobMeter, _ take: ([Expectation]) throws -> Void) throws {
        var bar = ProgressBar("reading the books")
        bar.total = workload.rows
        var page: [Expectation] = []
        for start in stride(from: 0, to: workload.rows, by: Self.pageSize) {
            try Task.checkCancellation()
            let rows = start..<min(start + Self.pageSize, workload.rows)
            meter.excluding { page = rows.flatMap { workload.expectations(at: $0) } }
            try take(page)
            bar.advance(by: rows.count)
        }
        bar.hide()
    }
}
