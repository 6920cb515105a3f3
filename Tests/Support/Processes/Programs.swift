package import Foundation
import Synchronization

/// The programs that a test starts; none of them outlives it.
package final class Programs: Sendable {
    private let started = Mutex<[RunningProgram]>([])

    /// Lends a place to start programs, and ends those that still run when `body` returns or throws.
    @discardableResult
    package static func with<Value>(_ body: (Programs) async throws -> Value) async throws -> Value {
        let programs = Programs()
        let result: Result<Value, any Error>
        do { result = .success(try await body(programs)) } catch { result = .failure(error) }
        for program in programs.started.withLock({ $0 }) { await program.kill() }
        return try result.get()
    }

    /// Starts a program of this build.
    ///
    /// - Parameters:
    ///   - program: which.
    ///   - arguments: its arguments.
    ///   - environment: what to add to the environment of the tests.
    ///   - folder: where it runs; nil for where the tests run.
    /// - Returns: the program, which runs by now.
    /// - Throws: ``ProgramFailure``.
    package func start(
        _ program: BuiltProgram,
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: URL? = nil
    ) throws(ProgramFailure) -> RunningProgram {
        try start(program.url(), arguments, environment: environment, in: folder)
    }

    /// Starts a program of the machine's.
    ///
    /// - Throws: ``ProgramFailure``.
    package func start(
        _ program: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: URL? = nil
    ) throws(ProgramFailure) -> RunningProgram {
        let running = try RunningProgram(
            program,
            arguments,
            environment: environment,
            folder: folder
        )
        started.withLock { programs in
            programs.removeAll { !$0.isRunning }
            programs.append(running)
        }
        return running
    }
}
