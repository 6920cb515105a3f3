import Foundation
import Synchronization

/// A program that a test started, known by the number of its process.
package final class RunningProgram: Sendable {
    /// How a program ended.
    package enum Ending: Hashable, Sendable {
        /// It ended by itself with this code.
        case exited(Int32)
        /// This signal ended it.
        case signaled(Int32)
    }

    /// Two programs that are started at the same moment would inherit each other's pipes.
    private static let starting = Mutex(())

    /// What it writes to standard output.
    package let output: ProgramOutput
    /// What it writes to standard error.
    package let errors: ProgramOutput
    private let process: Process
    /// Closed with its process, or with the process of the tests, however that one ends; a program may listen for it.
    private let input = Pipe()
    private let ending: Task<Ending, Never>

    /// Starts a program with the environment of the tests, less what configures the product, and `environment`.
    ///
    /// - Throws: ``ProgramFailure/notStarted(_:)``.
    init(
        _ url: URL,
        _ arguments: [String],
        environment: [String: String],
        folder: URL?
    )
        throws(ProgramFailure)
    {
        let (process, outputs, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = url
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("TRIBUTARY_")
        }
        .merging(environment) { _, given in given }
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = outputs
        process.standardError = errors
        let (endings, teller) = AsyncStream<Ending>.makeStream()
        process.terminationHandler = { [input] ended in
            try? input.fileHandleForWriting.close()
            let status = ended.terminationStatus
            teller.yield(ended.terminationReason == .exit ? .exited(status) : .signaled(status))
            teller.finish()
        }
        do {
            try Self.starting.withLock { _ in try Self.withAllSignals { try process.run() } }
        } catch {
            throw .notStarted("\(error)")
        }
        self.process = process
        output = ProgramOutput(outputs)
        self.errors = ProgramOutput(errors)
        ending = Task {
            for await ending in endings { return ending }
            return .exited(-1)
        }
    }

    /// Runs with no signal blocked: a program inherits what is blocked in the thread that starts it, threads of tasks
    /// block them all, and who ends its programs by SIGTERM would wait for ever.
    private static func withAllSignals(_ run: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }

    /// The number of its process.
    package var id: Int32 { process.processIdentifier }

    /// Whether it has not ended yet.
    package var isRunning: Bool { process.isRunning }

    /// Ends it on the spot (SIGKILL), as a power failure would, and waits until it is gone.
    @discardableResult
    package func kill() async -> Ending {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        return await ending.value
    }

    /// Asks it to end (SIGTERM) and waits until it has.
    @discardableResult
    package func stop() async -> Ending {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGTERM) }
        return await ended()
    }

    /// Closes its standard input, as the end of the tests' process would.
    package func closeInput() { try? input.fileHandleForWriting.close() }

    /// Waits until it has ended by itself; canceling the task ends it on the spot.
    package func ended() async -> Ending {
        await withTaskCancellationHandler {
            await ending.value
        } onCancel: {
            killAll()
        }
    }

    /// Ends it on the spot with what it started, each program being a group of its own: one that lives on would hold the
    /// socket by which Foundation learns of the end.
    private func killAll() {
        if process.isRunning { Foundation.kill(-process.processIdentifier, SIGKILL) }
    }

    /// Waits until it has ended by itself, but not for ever.
    ///
    /// - Throws: ``ProgramFailure/tooSlow(said:)`` after it was killed.
    package func ended(within limit: Duration) async throws -> Ending {
        let isLate = Atomic(false)
        let alarm = Task {
            try await Task.sleep(for: limit)
            isLate.store(true, ordering: .relaxed)
            killAll()
        }
        defer { alarm.cancel() }
        let ending = await ended()
        if isLate.load(ordering: .relaxed) { throw ProgramFailure.tooSlow(said: said) }
        return ending
    }

    /// Waits for a line on standard error, but not for ever.
    ///
    /// - Throws: ``ProgramFailure/endedEarly(_:said:)``, or ``ProgramFailure/tooSlow(said:)`` after it was killed.
    package func notice(containing words: String, within limit: Duration) async throws -> String {
        let isLate = Atomic(false)
        let alarm = Task {
            try await Task.sleep(for: limit)
            isLate.store(true, ordering: .relaxed)
            await kill()
        }
        defer { alarm.cancel() }
        if let line = await errors.line(containing: words) { return line }
        if isLate.load(ordering: .relaxed) { throw ProgramFailure.tooSlow(said: said) }
        try Task.checkCancellation()
        throw ProgramFailure.endedEarly(await ended(), said: said)
    }

    /// The end of what it wrote to standard error, for a failure's description.
    private var said: String { String(errors.text.suffix(2000)) }
}
