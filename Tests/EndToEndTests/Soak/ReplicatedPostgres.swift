import Foundation
import Synchronization
import TributaryTestKit

/// A PostgreSQL server and a standby to which it commits synchronously, on a way of their own, each of which can be killed, frozen
/// and put in the other's place.
final class ReplicatedPostgres: Sendable {
    /// A server of the two.
    private struct Server: Sendable {
        let folder: String
        let port: UInt16
        var program: RunningProgram
    }

    private struct State {
        var primary: Server
        var standby: Server?
        /// The folders that are free.
        var folders: [String]
    }

    private static let patience = Duration.seconds(60)
    private static let database = "postgres"
    /// How many connections a server has, those of its owner among them.
    static let connections = 40

    /// The way that leads to whoever is the first of the two.
    let link: FaultyLink
    private let programs: Programs
    private let tools: Tools
    private let password: String
    private let state: Mutex<State>

    /// Lends a pair whose files are in two folders.
    static func with<Value>(
        in folders: [String],
        _ body: (ReplicatedPostgres) async throws -> Value
    ) async throws -> Value {
        try await Programs.with { programs in
            let pair = try await ReplicatedPostgres(in: folders, programs)
            let result: Result<Value, any Error>
            do {
                try await pair.attach()
                result = .success(try await body(pair))
            } catch {
                result = .failure(error)
            }
            await pair.stop()
            return try result.get()
        }
    }

    private init(in folders: [String], _ programs: Programs) async throws {
        let (tools, password) = (try Tools(programs), UUID().uuidString)
        let folder = folders[0] + "/data"
        let file = folders[0] + "/password"
        try await tools.prepare(folder)
        try await tools.run(["install", "-m", "600", "-o", tools.owner, "/dev/null", file])
        try password.write(toFile: file, atomically: false, encoding: .utf8)
        try await tools.runAsOwner([
            tools.path("initdb"), "--pgdata", folder, "--username", "postgres", "--pwfile", file, "--auth", "password",
            "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions",
        ])
        let port = try LoopbackSocket.unusedPort()
        let primary = Server(folder: folders[0], port: port, program: try tools.start(folder, port))
        (self.programs, self.tools, self.password) = (programs, tools, password)
        link = try FaultyLink(to: port)
        state = Mutex(State(primary: primary, standby: nil, folders: Array(folders.dropFirst())))
        try await answers(port)
    }

    /// The URL by way of ``link``.
    var url: String { url(link.port) }

    /// The URL of the first of the two, past the link.
    var primaryURL: String { url(state.withLock(\.primary.port)) }

    /// Where the files of the first of the two are.
    var primaryFolder: String { state.withLock(\.primary.folder) }

    /// Whether commits wait for a standby now.
    var isReplicated: Bool { get async { await said("SELECT sync_state FROM pg_stat_replication") == "sync" } }

    /// Kills the first of the two on the spot (SIGKILL) and starts it again.
    func crash() async throws {
        try kill(state.withLock(\.primary), SIGKILL)
        try await revive()
    }

    /// Starts the first of the two unless it answers: whoever finds its disk full may have given up.
    func revive() async throws {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let primary = state.withLock(\.primary)
            if await said("SELECT 1") == "1" { return }
            primary.program.closeInput()
            _ = try await primary.program.ended(within: .seconds(30))
            let program = try tools.start(primary.folder + "/data", primary.port)
            state.withLock { $0.primary.program = program }
            for _ in 0..<20 where await said("SELECT 1") != "1" { try await Task.sleep(for: .milliseconds(150)) }
        }
        throw ProgramFailure.tooSlow(said: "PostgreSQL does not come up again")
    }

    /// Stops the processes of one of the two where they are, for a while.
    func freeze(standby: Bool, for duration: Duration) async throws {
        let server = state.withLock { standby ? $0.standby : $0.primary }
        guard let server, let first = first(of: server) else { return }
        let processes = [first] + children(of: first)
        for process in processes { _ = Foundation.kill(process, SIGSTOP) }
        try? await Task.sleep(for: duration)
        for process in processes { _ = Foundation.kill(process, SIGCONT) }
    }

    /// Kills the first of the two for good and puts the standby in its place, with a standby of its own.
    func promote() async throws {
        let (old, standby) = state.withLock { ($0.primary, $0.standby) }
        guard let standby else { throw ProgramFailure.notStarted("there is no standby") }
        try kill(old, SIGKILL)
        old.program.closeInput()
        _ = try await old.program.ended(within: .seconds(30))
        try await tools.run(["rm", "-rf", old.folder + "/data"])
        state.withLock { state in
            state.primary = standby
            state.standby = nil
            state.folders.append(old.folder)
        }
        guard await said("SELECT pg_promote(true, 30)") == "t" else {
            throw ProgramFailure.notStarted("the standby was not promoted")
        }
        link.redirect(to: standby.port)
        try await attach()
    }

    /// Gives the first of the two a standby, and has commits wait for it.
    private func attach() async throws {
        let parent = state.withLock { $0.folders.removeFirst() }
        let (folder, port) = (parent + "/data", try LoopbackSocket.unusedPort())
        try await tools.prepare(folder)
        try await tools.runAsOwner([
            tools.path("pg_basebackup"), "-D", folder, "-d", primaryURL, "-R", "-X", "stream", "-c", "fast",
            "--no-sync",
        ])
        let program = try tools.start(folder, port)
        state.withLock { $0.standby = Server(folder: parent, port: port, program: program) }
        try await waits { await said("SELECT state FROM pg_stat_replication") == "streaming" }
        _ = await said("ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = await said("SELECT pg_reload_conf()")
        try await waits { await isReplicated }
    }

    /// Stops both.
    private func stop() async {
        link.stop()
        let servers = state.withLock { [$0.primary] + ($0.standby.map { [$0] } ?? []) }
        for server in servers { server.program.closeInput() }
        for server in servers { _ = try? await server.program.ended(within: .seconds(20)) }
    }

    private func url(_ port: UInt16) -> String {
        "postgres://postgres:\(password)@127.0.0.1:\(port)/\(Self.database)?sslmode=disable"
    }

    /// What the first of the two answers to a statement; nil if it does not.
    private func said(_ statement: String) async -> String? {
        let arguments = [primaryURL + "&connect_timeout=5", "-X", "-q", "-At", "-c", statement]
        guard let program = try? programs.start(URL(fileURLWithPath: tools.path("psql")), arguments),
            let finished = try? await Finished(program, within: .seconds(40)), finished.status == 0
        else { return nil }
        return finished.out.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func answers(_ port: UInt16) async throws { try await waits { await said("SELECT 1") == "1" } }

    private func waits(_ isSo: () async -> Bool) async throws {
        let end = ContinuousClock.now + Self.patience
        while await !isSo() {
            guard ContinuousClock.now < end else { throw ProgramFailure.tooSlow(said: "PostgreSQL") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func kill(_ server: Server, _ signal: Int32) throws {
        guard let first = first(of: server) else { throw ProgramFailure.notStarted("PostgreSQL does not run") }
        let children = children(of: first)
        _ = Foundation.kill(first, signal)
        // As a machine without power would: what it had started is gone too.
        for child in children { _ = Foundation.kill(child, signal) }
    }

    /// The number of a server's first process; nil if it does not run.
    private func first(of server: Server) -> Int32? {
        let text = try? String(contentsOfFile: server.folder + "/data/postmaster.pid", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    private func children(of process: Int32) -> [Int32] {
        let text = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return text?.split(separator: " ").compactMap { Int32($0) } ?? []
    }
}

extension ReplicatedPostgres {
    /// PostgreSQL's programs, and who runs them.
    struct Tools: Sendable {
        /// The user whose files a server's are.
        let owner: String
        private let folder: String
        private let programs: Programs
        private let asOwner: [String]

        /// - Throws: ``ProgramFailure/notStarted(_:)`` where it is not installed.
        init(_ programs: Programs) throws {
            self.programs = programs
            let root = "/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            guard let newest = versions.compactMap({ Int($0) }).max() else {
                throw ProgramFailure.notStarted("PostgreSQL is not installed below \(root)")
            }
            folder = "\(root)/\(newest)/bin"
            owner = geteuid() == 0 ? "postgres" : NSUserName()
            asOwner = geteuid() == 0 ? ["--reuid", owner, "--regid", owner, "--clear-groups"] : []
        }

        func path(_ program: String) -> String { "\(folder)/\(program)" }

        /// Makes an empty folder for a server's files.
        func prepare(_ folder: String) async throws {
            try await run(["install", "-d", "-m", "700", "-o", owner, folder])
        }

        func runAsOwner(_ command: [String]) async throws {
            try await run(asOwner.isEmpty ? command : ["setpriv"] + asOwner + command)
        }

        func run(_ command: [String]) async throws {
            let program = try programs.start(URL(fileURLWithPath: "/usr/bin/env"), command)
            let finished = try await Finished(program, within: .seconds(60))
            guard finished.status == 0 else { throw ProgramFailure.notStarted("\(command): \(finished.err)") }
        }

        /// Starts a server, which ends when its input does.
        func start(_ folder: String, _ port: UInt16) throws -> RunningProgram {
            let settings = [
                "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=", "hot_standby=on",
                "max_connections=\(ReplicatedPostgres.connections)", "wal_level=replica", "max_wal_senders=8",
                "wal_keep_size=64MB", "max_wal_size=96MB", "min_wal_size=32MB", "shared_buffers=48MB",
                "log_min_messages=fatal", "log_timezone=UTC", "timezone=UTC",
            ]
            // It ends with the shell that started it, however that one ends.
            let prefix = ["setpriv", "--pdeathsig", "QUIT"] + asOwner
            let command = prefix + [path("postgres"), "-D", folder] + settings.flatMap { ["-c", $0] }
            let script = "\"$@\" & server=$!; cat > /dev/null; kill -QUIT $server 2> /dev/null; wait $server"
            return try programs.start(URL(fileURLWithPath: "/bin/sh"), ["-c", script, "sh"] + command)
        }
    }
}
