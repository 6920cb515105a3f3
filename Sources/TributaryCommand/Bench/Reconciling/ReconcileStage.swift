import Foundation

/// A folder with a made-up report in it, and what is to be found there.
struct ReconcileStage {
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
