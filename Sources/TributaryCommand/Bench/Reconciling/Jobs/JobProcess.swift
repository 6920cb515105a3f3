import Foundation
import StrictJSON

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
