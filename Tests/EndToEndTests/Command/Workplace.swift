import Foundation
import StrictJSON
import Testing
import TributaryTestKit

/// A folder in which commands run, with an environment that nothing of the user's settings is in.
struct Workplace: Sendable {
    private let folder: TemporaryFolder
    private let programs: Programs
    /// The variables that commands see besides the system's.
    var environment: [String: String] = [
        "TRIBUTARY_KEY": String(repeating: "5a", count: 32),
        "SIM_KEY": "key_sim",
    ]

    /// Whether commands that act are run as they are typed, without `--direct`.
    var actsAsTyped = false

    /// Lends a fresh workplace.
    static func with(_ body: (Workplace) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await Programs.with { programs in try await body(Workplace(folder: folder, programs: programs)) }
        }
    }

    /// Lends a workplace whose database exists.
    static func withDatabase(
        _ engine: DatabaseEngine = .sqlite,
        _ body: (Workplace) async throws -> Void
    ) async throws {
        try await DatabaseLocation.with(engine) { location in
            try await with { place in
                var place = place
                if case .postgres(let url) = location { place.environment["TRIBUTARY_DATABASE_URL"] = url }
                try #require(await place.run("migrate").status == 0)
                try await body(place)
            }
        }
    }

    private init(folder: TemporaryFolder, programs: Programs) {
        self.folder = folder
        self.programs = programs
    }

    /// The path of a file in it.
    func path(_ name: String) -> String { folder.path(name) }

    /// Whether there is such a file in it.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The names of the files in it.
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path("")) }

    /// Writes a file.
    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    /// Writes a file of any bytes.
    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    /// The bytes of a file.
    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// The path of a file of the repository; nil if it is not there.
    static func repositoryFile(_ name: String, from file: String = #filePath) -> String? {
        let root = (0..<4).reduce(URL(fileURLWithPath: file)) { url, _ in url.deletingLastPathComponent() }
        let path = root.appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}

extension Workplace {
    /// What acts, by the words that it begins with.
    private static let acts: [[String]] =
        ["capture", "release", "cancel", "refund", "resolve", "retry"].map { ["orders", $0] }
        + ["dispute", "refund", "capture", "void"].map { ["orders", "record-" + $0] }
        + [
            ["apply"], ["keys", "create"], ["keys", "revoke"], ["merchants", "pause"], ["merchants", "resume"],
            ["psp-accounts", "pause"], ["psp-accounts", "resume"], ["test-clock", "advance"], ["payouts", "record"],
            ["payouts", "fail"], ["invoices", "issue"], ["breaks", "resolve"], ["callbacks", "replay"],
            ["callbacks", "enable"], ["callbacks", "test"], ["secrets", "rotate"], ["webhooks", "replay"],
            ["webhooks", "dismiss"], ["apple-pay", "hashes", "confirm"], ["apple-pay", "hashes", "reject"],
        ]

    /// Starts a command; one that acts does so on the database, unless an API key is there to act with or `actsAsTyped`.
    func start(_ arguments: [String]) throws -> RunningProgram {
        let isDirect =
            !actsAsTyped && environment["TRIBUTARY_API_KEY"] == nil
            && Self.acts.contains { arguments.starts(with: $0) }
            && !arguments.contains("--direct") && !arguments.contains("--help")
        return try programs.start(
            .tributary,
            arguments + (isDirect ? ["--direct"] : []),
            environment: environment,
            in: folder.url
        )
    }

    /// Starts a program of the machine's.
    func start(_ program: String, _ arguments: [String]) throws -> RunningProgram {
        try programs.start(URL(fileURLWithPath: program), arguments, environment: environment, in: folder.url)
    }

    /// Runs a command to its end.
    func run(_ arguments: String...) async throws -> Finished { try await run(arguments) }

    /// Runs a command to its end.
    func run(_ arguments: [String]) async throws -> Finished {
        let program = try start(arguments)
        return try await Finished(program, within: .patience)
    }

    /// Runs a command that answers JSON and must succeed.
    func json(_ arguments: String...) async throws -> JSON { try await json(arguments) }

    /// Runs a command that answers JSON and must succeed.
    func json(_ arguments: [String]) async throws -> JSON {
        let finished = try await run(arguments + ["--format", "json"])
        try #require(finished.status == 0, "\(finished.err)")
        return try JSON.parse(Array(finished.out.utf8))
    }

    /// Starts a server and answers it and its URL once it listens.
    func serve(_ arguments: [String] = ["serve", "--stop-when-stdin-closes"]) async throws -> (RunningProgram, String) {
        let server = try start(arguments + ["--port", "0"])
        let line = try await server.notice(containing: "listening on http", within: .patience)
        return (server, line.split(separator: " ").last.map(String.init) ?? "")
    }

    /// Starts a server, lends its URL, ends it in good order, and answers how it ended.
    @discardableResult
    func whileServing(
        _ arguments: [String] = ["serve", "--stop-when-stdin-closes"],
        _ body: (_ url: String) async throws -> Void
    ) async throws -> Finished {
        let (server, url) = try await serve(arguments)
        try await body(url)
        await server.stop()
        return try await Finished(server, within: .patience)
    }
}
