import ArgumentParser
import Foundation
import Settings
import StrictJSON

/// `tributary bench reconcile`: how many lines of a settlement report are reconciled a second, in how much memory.
struct BenchReconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Settlement lines reconciled a second on one core, and the memory it takes, beside plain SQL.",
        discussion: """
            Makes up a Stripe payout reconciliation of --lines lines in the folder for temporary files, and the books
            that go with it but for 27 breaks of nine types. Then, each in a process of its own:

            engine  reads the file as `tributary reconcile` does, matches it with the books and finds the breaks;
                    what is too large for memory is spilled to the same folder.
            sql     reads it with the same reader, puts both sides into a SQLite file (prepared inserts in one
                    transaction, no journal, no waiting for the disk, 64 MiB of cache) and finds them by joins.

            Both have to find the 27 and nothing else; exits 1 if one does not. Speed is by processor time, so that
            what else runs on the machine counts little. Making up the books is not counted; storing what was found,
            which `tributary reconcile` also does, is no part of it. Peaks are of whole processes; they grow with a
            report until what is joined at once, 24 MiB, is full, and then no more.

            A million lines take half a minute and 0.8 GB of disk, with --ten-times some minutes and 8 GB. TMPDIR
            names another folder.
            """
    )

    /// The most memory that it may take.
    private static let memoryBarMegabytes = 150.0
    /// What the engine joins in memory at once, 24 MiB: memory grows with a report until that is full.
    private static let windowMegabytes = 25.2

    @Option(name: .long, help: "How many lines the report has.")
    var lines = 1_000_000

    @Flag(name: .long, help: "Measure a report of ten times the lines as well, which may take 24 MiB more memory.")
    var tenTimes = false

    @OptionGroup var format: FormatOption

    @Option(name: .customLong("job"), help: .hidden)
    var job: String?

    @Option(name: .customLong("folder"), help: .hidden)
    var folder: String?

    func validate() throws {
        guard (SettlementWorkload.fewestRows...100_000_000).contains(lines) else {
            throw ValidationError("--lines is \(SettlementWorkload.fewestRows) to 100000000")
        }
    }

    func run() async throws {
        if let way = job.flatMap({ ReconcileJob.Way(rawValue: $0) }), let folder {
            let job = ReconcileJob(workload: SettlementWorkload(rows: lines), folder: folder)
            return Console.out(try await job.run(way).json.text)
        }
        let bench = InterruptibleService("bench") { [self] in try await measure() }
        try await Services.run([bench], logger: .standardError(.error))
    }

    private func measure() async throws {
        var report = BenchReport()
        let engine: MeasuredJob
        do {
            let stage = try ReconcileStage(lines: lines)
            defer { stage.remove() }
            engine = try await stage.measure(.engine)
            report.add(engine, "engine")
            let sql = try await stage.measure(.sql)
            report.add(sql, "sql")
            report.add("sql_peak_memory_mb", sql.peakMegabytes)
            report.add(ratio: "engine_lines_per_second_per_core", engine.linesPerCoreSecond, atLeast: 200_000)
            report.add(ratio: "engine_peak_memory_mb", engine.peakMegabytes, atMost: Self.memoryBarMegabytes)
            report.add(ratio: "engine_to_sql_speed", engine.linesPerCoreSecond / sql.linesPerCoreSecond, atLeast: 1)
        }
        if tenTimes {
            let stage = try ReconcileStage(lines: 10 * lines)
            defer { stage.remove() }
            let long = try await stage.measure(.engine)
            report.add(long, "engine_ten_times")
            report.add(ratio: "engine_ten_times_peak_memory_mb", long.peakMegabytes, atMost: Self.memoryBarMegabytes)
            let growth = max(0, long.peakMegabytes - engine.peakMegabytes)
            report.add(ratio: "engine_ten_times_more_memory_mb", growth, atMost: Self.windowMegabytes)
        }
        format.write(report.table, json: report.json)
        if let missed = report.missed { Console.note(missed) }
    }
}

extension BenchReport {
    /// Adds what a job took.
    fileprivate mutating func add(_ job: MeasuredJob, _ name: String) {
        add("\(name)_lines", Double(job.lines))
        add("\(name)_breaks", Double(job.breaks.count))
        add("\(name)_cpu_seconds", Double(job.cpuMicroseconds) / 1e6)
        add("\(name)_wall_seconds", Double(job.wallMicroseconds) / 1e6)
        add("\(name)_lines_per_second", job.linesPerSecond)
    }
}

/// A folder with a made-up report in it, and what is to be found there.
private struct ReconcileStage {
    /// How many rows are written at once.
    private static let pageSize = 10_000

    private let workload: SettlementWorkload
    private let folder: TemporaryDirectory

    /// Makes up a report of so many lines.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written, and `CancellationError`.
    init(lines: Int) throws {
        workload = SettlementWorkload(rows: lines)
        folder = try TemporaryDirectory()
        do {
            try write()
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Removes all of it.
    func remove() { folder.remove() }

    private func write() throws {
        let path = ReconcileJob.path(in: folder.path)
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure.unusable("the folder for temporary files cannot be written") }
        defer { try? file.close() }
        var bar = ProgressBar("writing the report")
        bar.total = workload.rows
        var text = SettlementReportText(workload)
        do {
            try file.write(contentsOf: Data(SettlementReportText.header.utf8))
            while true {
                try Task.checkCancellation()
                let rows = text.read(rows: Self.pageSize)
                if rows.isEmpty { break }
                try file.write(contentsOf: Data(rows))
                bar.advance(by: Self.pageSize)
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw CommandFailure.unusable("the report cannot be written: \(error.localizedDescription)")
        }
        bar.hide()
    }

    /// Runs a job, and holds what it found to what was planted.
    ///
    /// - Throws: ``CommandFailure`` if the two differ.
    func measure(_ way: ReconcileJob.Way) async throws -> MeasuredJob {
        Console.note("\(workload.rows) lines by the way of the \(way.rawValue)…")
        let measured = try await JobProcess(ReconcileJob(workload: workload, folder: folder.path), way).run()
        let (planted, found) = (Set(workload.plantedBreaks), Set(measured.breaks))
        guard planted == found, measured.breaks.count == found.count, measured.lines == workload.rows else {
            let missing = planted.subtracting(found).sorted().prefix(5).joined(separator: ", ")
            let extra = found.subtracting(planted).sorted().prefix(5).joined(separator: ", ")
            throw CommandFailure.finding(
                "\(way.rawValue) read \(measured.lines) lines and found \(measured.breaks.count) breaks where "
                    + "\(planted.count) were planted; not found: \(missing); not planted: \(extra)"
            )
        }
        return measured
    }
}
