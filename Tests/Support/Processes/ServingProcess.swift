/// A `tributary serve` that takes requests.
package struct ServingProcess: Sendable {
    /// Starting waits for the disk, and for other tests; it takes a fraction of a second on a machine of its own.
    private static let patience = Duration.seconds(60)

    /// Its process.
    package let program: RunningProgram
    /// Its base URL.
    package let url: String

    /// Starts it on a free port and waits until it listens.
    ///
    /// It ends with the process of the tests, however that one ends.
    ///
    /// - Throws: ``ProgramFailure``.
    package static func start(
        in programs: Programs,
        arguments: [String] = [],
        environment: [String: String]
    ) async throws -> ServingProcess {
        let program = try programs.start(
            .tributary,
            ["serve", "--port", "0", "--stop-when-stdin-closes"] + arguments,
            environment: environment
        )
        let line = try await program.notice(containing: "listening on http", within: patience)
        let url = line.split(separator: " ").last.map(String.init) ?? ""
        return ServingProcess(program: program, url: url)
    }
}
