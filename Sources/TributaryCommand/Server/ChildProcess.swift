import Domain
import Foundation
import Synchronization

/// A process that this one started, and that ends when this one does.
final class ChildProcess: Sendable {
    private let process: Process
    private let input = Pipe()
    private let said: ChildOutput
    private let end = ChildEnd()

    /// The system's number for it.
    var number: Int32 { process.processIdentifier }

    /// Which of a program's outputs is listened to.
    enum Heard {
        /// Its standard error; its standard output is thrown away.
        case errors
        /// Its standard output; its standard error is this process's.
        case output
    }

    /// Starts a program.
    ///
    /// Its standard input stays open until this process ends.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        hearing heard: Heard = .errors
    ) throws(CommandFailure) {
        process = Process()
        let pipe = Pipe()
        said = ChildOutput(pipe.fileHandleForReading)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        switch heard {
        case .errors: (process.standardOutput, process.standardError) = (FileHandle.nullDevice, pipe)
        case .output: (process.standardOutput, process.standardError) = (pipe, FileHandle.standardError)
        }
        process.terminationHandler = { [end] _ in end.tell() }
        do {
            try process.run()
        } catch {
            throw .unusable("\(program) cannot be started: \(error.localizedDescription)")
        }
    }

    /// What it says, line by line, until it closes its end.
    var lines: AsyncStream<String> { said.lines }

    /// Its exit code once it has ended.
    func ended() async -> Int32 {
        await end.wait()
        return process.terminationStatus
    }

    /// The first line of what it says that is wanted.
    ///
    /// - Throws: ``CommandFailure`` with what it said instead, if it ends or the time is over first.
    func line(within limit: Duration, _ isWanted: (String) -> Bool) async throws -> String {
        let watch = Task {
            try await Task.sleep(for: limit)
            await kill()
        }
        defer { watch.cancel() }
        var heard: [String] = []
        for await line in said.lines {
            if isWanted(line) { return line }
            heard.append(line)
        }
        try Task.checkCancellation()
        throw CommandFailure.finding("the gateway did not start: \(heard.joined(separator: "\n").harmless)")
    }

    /// Kills it and returns when it is gone.
    func kill() async {
        if process.isRunning { signal(SIGKILL) }
        await end.wait()
    }

    /// Asks it to end, kills it if it has not within the limit, and returns when it is gone.
    func stop(within limit: Duration) async {
        if process.isRunning { signal(SIGTERM) }
        // Not a child of the caller's task, which may be cancelled.
        let watch = Task.detached { [self] in
            try await Task.sleep(for: limit)
            await kill()
        }
        await end.wait()
        watch.cancel()
    }

    /// Sent only while it runs, so that the number is its own.
    private func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }
}

/// The lines that a process writes, as they come.
private final class ChildOutput: Sendable {
    /// The lines, without their breaks; ends when the process closes its end.
    let lines: AsyncStream<String>

    /// Listens to a pipe's end, on a thread of its own.
    ///
    /// A readability handler would do it without one, but it rests on dispatch sources, which crash on Linux when they
    /// are taken down.
    init(_ handle: FileHandle) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while case let bytes = handle.availableData, !bytes.isEmpty {
                rest += bytes
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = parts.popLast().map(Array.init) ?? []
                for line in parts { continuation.yield(String(decoding: line, as: UTF8.self)) }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            continuation.finish()
        }
    }
}

/// The end of a process, which any number may wait for.
private final class ChildEnd: Sendable {
    private struct State {
        var hasCome = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Tells everyone who waits, and everyone who will.
    func tell() {
        let waiting = state.withLock { state in
            state.hasCome = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the process is gone; cancelling the task does not shorten the wait.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if !state.hasCome { state.waiting.append(continuation) }
                return state.hasCome
            }
            if hasCome { continuation.resume() }
        }
    }
}
