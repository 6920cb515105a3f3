import AdapterKit
import Domain
import ExternalJoin
import Foundation
import Glibc
import Reconciliation
import StatementFiles
import StrictJSON
import StripeAdapter

/// One of the two ways to reconcile a made-up report with the books: ours, and a database's.
///
/// Both read the file with the same reader and are handed the same expectations; making those up does not count.
struct ReconcileJob {
    /// Which way.
    enum Way: String, CaseIterable {
        /// `Reconciler`: hash joins over files without a name.
        case engine
        /// ``ExternalJoin/PlainJoin``: two tables of a SQLite file.
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
        let file = SettlementFile(
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
        let report = try ReportFile(path: Self.path(in: folder), formats: formats)
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

/// Keeps the breaks that are found, and counts matches for whoever watches.
private struct BreakCollector: ReconciliationSink {
    /// The breaks, as ``FoundBreak`` writes them.
    private(set) var breaks: [String] = []
    private var bar = ProgressBar("matching")

    /// A collector of what so many lines come to.
    init(_ lines: Int) { bar.total = lines }

    mutating func take(matches: [Match]) async throws { bar.advance(by: matches.count) }

    mutating func take(breaks: [Break]) async throws { self.breaks += breaks.map { FoundBreak.text($0) } }

    /// Takes the bar off the screen.
    mutating func end() { bar.hide() }
}

/// Books that have no payment beside those that are expected.
private struct NoOtherPayments: PaymentLookup {
    func payments(for queries: [PaymentQuery]) async throws -> [PaymentMatchCandidate?] { queries.map { _ in nil } }
}

/// What a job found, and what it took.
struct MeasuredJob {
    /// Lines of the report that were read.
    var lines: Int
    /// Processor time of all threads.
    var cpuMicroseconds: Int
    /// Time that went by.
    var wallMicroseconds: Int
    /// The most memory that its process had resident.
    var peakKibibytes: Int
    /// The breaks, as ``FoundBreak`` writes them, in order.
    var breaks: [String]

    /// Lines a second of processor time, which is lines a second on one core.
    var linesPerCoreSecond: Double { Double(lines) * 1e6 / Double(max(cpuMicroseconds, 1)) }
    /// Lines a second as time goes by.
    var linesPerSecond: Double { Double(lines) * 1e6 / Double(max(wallMicroseconds, 1)) }
    /// The peak in millions of bytes.
    var peakMegabytes: Double { Double(peakKibibytes) * 1024 / 1e6 }
}

/// As one process tells it another.
extension MeasuredJob {
    /// Reads what ``json`` wrote; nil if it is something else.
    init?(_ json: JSON) {
        func number(_ name: String) -> Int? { json[name]?.integerValue.map { Int($0) } }
        guard let lines = number("lines"), let cpu = number("cpu_microseconds"),
            let wall = number("wall_microseconds"), let peak = number("peak_kibibytes"),
            let breaks = json["breaks"]?.arrayValue
        else { return nil }
        self.init(
            lines: lines,
            cpuMicroseconds: cpu,
            wallMicroseconds: wall,
            peakKibibytes: peak,
            breaks: breaks.compactMap(\.stringValue)
        )
    }

    /// All of it.
    var json: JSON {
        .object([
            .init("lines", .integer(Int64(lines))), .init("cpu_microseconds", .integer(Int64(cpuMicroseconds))),
            .init("wall_microseconds", .integer(Int64(wallMicroseconds))),
            .init("peak_kibibytes", .integer(Int64(peakKibibytes))),
            .init("breaks", .array(breaks.map { .string($0) })),
        ])
    }
}

/// Runs a job in a process of its own, so that its memory is nobody else's.
struct JobProcess {
    private let process = Process()
    private let output = Pipe()

    /// Prepares a process of this program.
    ///
    /// Its progress and its complaints go where this one's go.
    init(_ job: ReconcileJob, _ way: ReconcileJob.Way) {
        let link = "/proc/self/exe"
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "bench", "reconcile", "--lines", String(job.workload.rows), "--job", way.rawValue, "--folder", job.folder,
        ]
        process.standardOutput = output
    }

    /// Runs it to its end; a cancelled task ends it early.
    ///
    /// - Throws: ``CommandFailure`` if it does not answer.
    func run() async throws -> MeasuredJob {
        do {
            try process.run()
        } catch {
            throw CommandFailure.unusable("the measured process cannot be started: \(error.localizedDescription)")
        }
        let answer = await withTaskCancellationHandler {
            output.fileHandleForReading.readDataToEndOfFile()
        } onCancel: { [process] in
            process.terminate()
        }
        process.waitUntilExit()
        try Task.checkCancellation()
        guard process.terminationStatus == 0, let json = try? JSON.parse(Array(answer)),
            let measured = MeasuredJob(json)
        else { throw CommandFailure.unusable("the measured process ended with \(process.terminationStatus)") }
        return measured
    }
}

/// Measures what a job takes in a process of its own, apart from the making up of what it works on.
private struct JobMeter {
    private let clock = ContinuousClock()
    private let startedAt: ContinuousClock.Instant
    private var excludedTime = Duration.zero
    private var excludedCPU = 0
    private let startedCPU = Self.cpuMicroseconds

    /// Begins.
    init() { startedAt = clock.now }

    /// Does something that does not count.
    mutating func excluding<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (cpu, time) = (Self.cpuMicroseconds, clock.now)
        defer {
            excludedCPU += Self.cpuMicroseconds - cpu
            excludedTime += clock.now - time
        }
        return try body()
    }

    /// What the process's threads together took of the processors, in microseconds.
    var cpuMicroseconds: Int { Self.cpuMicroseconds - startedCPU - excludedCPU }

    /// How long it took, in microseconds.
    var wallMicroseconds: Int { Int((clock.now - startedAt - excludedTime) / .microseconds(1)) }

    /// The most memory that the process ever had resident, in KiB: `VmHWM` of proc(5); 0 if the system does not say.
    static var peakKibibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    /// POSIX's `clock` counts in microseconds.
    private static var cpuMicroseconds: Int { Glibc.clock() }
}
