import CPostgres
import Glibc
import Synchronization

/// A PostgreSQL server of our own on a free loopback port, gone without a trace when it is stopped.
///
/// For tests and measurements: it is made in a second and holds nothing that anybody wants back.
package final class ThrowawayCluster: Sendable {
    /// Whether the server waits for the disk, as measurements of durable work must.
    package enum Durability: Hashable, Sendable {
        /// Commits wait for the disk, as in production.
        case durable
        /// They do not: faster, and all is lost if the machine stops.
        case volatile
    }

    private static let startSeconds = 30
    private static let portTries = 3

    /// The superuser's URL of the database `postgres`, with a random password.
    package let url: String
    private let folder: ClusterFolder
    private let server: Mutex<ChildProcess?>

    private init(url: String, folder: ClusterFolder, server: ChildProcess) {
        self.url = url
        self.folder = folder
        self.server = Mutex(server)
    }

    /// Starts a server, first removing what killed processes left behind.
    ///
    /// - Throws: ``ClusterFailure``.
    package static func start(_ durability: Durability) async throws -> ThrowawayCluster {
        try await withCheckedThrowingContinuation { caller in
            WorkerThread.start { caller.resume(with: Result { try make(durability) }) }
        }
    }

    /// Stops the server and removes its files, which blocks for a moment; a second call does nothing.
    package func stop() {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        guard let running else { return }
        // Immediate shutdown: nothing is worth writing back.
        if !running.hasEnded() {
            kill(running.id, SIGQUIT)
            _ = running.wait()
        }
        folder.remove()
    }

    private static func make(_ durability: Durability) throws(ClusterFailure) -> ThrowawayCluster {
        ClusterFolder.sweep()
        let programs = try ServerPrograms()
        let folder = try ClusterFolder.create(owner: programs.owner, durability)
        do throws(ClusterFailure) {
            let password = try initialize(folder, programs)
            for _ in 0..<portTries {
                if let cluster = try launch(folder, programs, password, durability) { return cluster }
            }
            let said = FileTree.text(of: folder.log).map { String($0.suffix(500)) } ?? ""
            throw .failed("PostgreSQL did not start: \(said)")
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Writes the files of a new cluster; answers the superuser's password.
    private static func initialize(_ folder: ClusterFolder, _ programs: ServerPrograms) throws(ClusterFailure) -> String
    {
        let password = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        let passwordFile = folder.path + "/password"
        guard FileTree.write(password, to: passwordFile, owner: programs.owner) else {
            throw .failed("the file \(passwordFile) could not be written")
        }
        let arguments = [
            "--pgdata", folder.data, "--username", "postgres", "--pwfile", passwordFile, "--auth", "password",
            "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions",
        ]
        defer { unsafe unlink(passwordFile) }
        try ChildProcess.run(programs.command("initdb", arguments), log: folder.log)
        return password
    }

    /// Starts the server; nil if it ended at once, as it does when somebody took its port meanwhile.
    private static func launch(
        _ folder: ClusterFolder,
        _ programs: ServerPrograms,
        _ password: String,
        _ durability: Durability
    ) throws(ClusterFailure) -> ThrowawayCluster? {
        guard let port = FreePort.find() else { throw .failed("no free port on 127.0.0.1") }
        let (sync, log) = durability == .durable ? ("on", "4GB") : ("off", "512MB")
        let settings = [
            "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=", "max_connections=400",
            "fsync=\(sync)", "full_page_writes=\(sync)", "shared_buffers=128MB", "max_wal_size=\(log)",
            "wal_level=minimal", "max_wal_senders=0", "log_min_messages=fatal", "log_timezone=UTC", "timezone=UTC",
        ]
        let arguments = ["-D", folder.data] + settings.flatMap { ["-c", $0] }
        let server = try ChildProcess(programs.command("postgres", arguments), log: folder.log)
        let url = "postgres://postgres:\(password)@127.0.0.1:\(port)/postgres"
        let end = ContinuousClock.now + .seconds(startSeconds)
        while ContinuousClock.now < end {
            if server.hasEnded() { return nil }
            if unsafe PQping(url) == PQPING_OK { return ThrowawayCluster(url: url, folder: folder, server: server) }
            usleep(10_000)
        }
        kill(server.id, SIGQUIT)
        _ = server.wait()
        throw .failed("PostgreSQL did not answer within \(startSeconds) s")
    }
}
