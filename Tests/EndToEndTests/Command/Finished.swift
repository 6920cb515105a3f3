import TributaryTestKit

/// A command that has run to its end.
struct Finished: Sendable {
    /// Its exit code; 128 and the signal's number if a signal ended it.
    let status: Int32
    /// What it wrote to standard output.
    let out: String
    /// What it wrote to standard error.
    let err: String

    /// Waits for a program's end.
    ///
    /// - Throws: `ProgramFailure.tooSlow(said:)`, or `ProgramFailure.outlived(said:)`.
    init(_ program: RunningProgram, within limit: Duration) async throws {
        status =
            switch try await program.ended(within: limit) {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        out = try await program.output.whole()
        err = try await program.errors.whole()
    }
}
