import Foundation

/// A `tributary serve` that takes requests.
package struct ServingProcess: Sendable {
    /// Its process.
    package let program: RunningProgram
    /// Its base URL.
    package let url: String

    /// Starts it on a free port and waits until it listens.
    ///
    /// It ends with the process of the tests, however that one ends.
    ///
    /// - Parameters:
    ///   - programs: where it is started.
    ///   - arguments: what to add to its arguments.
    ///   - environment: what to add to the environment of the tests.
    ///   - descriptors: how many descriptors it may have; nil for as many as the tests.
    /// - Returns: the process.
    /// - Throws: ``ProgramFailure``.
    package static func start(
        in programs: Programs,
        arguments: [String] = [],
        environment: [String: String],
        descriptors: Int? = nil
    ) async throws -> ServingProcess {
        let words = ["serve", "--port", "0", "--stop-when-stdin-closes"] + arguments
        let program: RunningProgram
        if let descriptors {
            let script = "ulimit -n \(descriptors) && exec \"$0\" \"$@\""
            program = try programs.start(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", script, try BuiltProgram.tributary.url().path] + words,
                environment: environment
            )
        } else {
            program = try programs.start(.tributary, words, environment: environment)
        }
        let line = try await program.notice(containing: "listening on http", within: .patience)
        let url = line.split(separator: " ").last.map(String.init) ?? ""
        return ServingProcess(program: program, url: url)
    }
}
