import Foundation
import PostgresDatabase

/// Runs PostgreSQL's own benchmark with a script.
struct Pgbench {
    private let program: String
    private let url: String
    private let connections: Int
    private let transactions: Int

    /// Finds the program.
    ///
    /// It runs so many transactions rather than so many seconds: it would need an alarm signal for that, which
    /// Foundation's child processes have blocked.
    ///
    /// - Throws: ``CommandFailure`` that says what to install.
    init(url: String, connections: Int, transactions: Int) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let found = folders.map { $0 + "/pgbench" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { throw CommandFailure.unusable("there is no pgbench; install the package postgresql") }
        program = found
        self.url = url
        self.connections = connections
        self.transactions = transactions
    }

    /// Transactions of the script a second.
    ///
    /// - Throws: ``CommandFailure`` with pgbench's words if it fails.
    func run(_ script: PgbenchScript) async throws -> Double {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let file = folder.path + "/order.sql"
        try script.text.write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "-n", "-M", "prepared", "-f", file, "-c", "\(connections)", "-j", "2", "-t",
            "\(max(1, transactions / connections))", url,
        ]
        let output = Pipe()
        let complaints = folder.path + "/complaints"
        guard FileManager.default.createFile(atPath: complaints, contents: nil) else {
            throw CommandFailure.unusable("the folder for temporary files cannot be written")
        }
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: complaints)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let complaint = (try? String(contentsOfFile: complaints, encoding: .utf8)) ?? ""
        guard process.terminationStatus == 0, let match = text.firstMatch(of: /tps = ([0-9.]+)/),
            let rate = Double(match.1)
        else { throw CommandFailure.unusable("pgbench failed: \(complaint.prefix(500))") }
        return rate
    }
}
