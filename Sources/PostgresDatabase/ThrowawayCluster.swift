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

    private static let startSeconds = 300
    private static let portTries = 3

    /// The superuser's URL of the database `postgres`, with a random password.
    package let url: String
    private let folder: ClusterFolder
    private let server: Mutex<ClusterProcess?>

    private init(url: String, folder: ClusterFolder, server: ClusterProcess) {
        self.url = url
        self.folder = folder
        self.server = Mutex(server)
    }

    /// Starts a server, first removing what killed processes left behind.
    ///
    /// - Parameters:
    ///   - durability: whether commits wait for the disk.
    ///   - folder: where its files are; nil for where the machine keeps what is temporary.
    /// - Returns: the server, which answers.
    /// - Throws: ``ClusterFailure``.
    package static func start(_ durability: Durability, in folder: String? = nil) async throws -> ThrowawayCluster {
        try await withCheckedThrowingContinuation { caller in
            WorkerThread.start { caller.resume(with: Result { try make(durability, in: folder) }) }
        }
    }

    /// The number of the server's first process, whose children are all others; nil once it is stopped.
    package var processID: Int32? { server.withLock { $0?.id } }

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

    private static func make(_ durability: Durability, in parent: String?) throws(ClusterFailure) -> ThrowawayCluster {
        ClusterFolder.sweep()
        let programs = try ServerPrograms()
        let folder = try ClusterFolder.create(owner: programs.owner, durability, in: parent)
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
        try ClusterProcess.run(programs.command("initdb", arguments), log: folder.log)
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
        let server = try ClusterProcess(programs.command("postgres", arguments), log: folder.log)
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

/// Why a throwaway server could not be started.
package enum ClusterFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server's programs are not on this machine.
    case notInstalled
    /// A program could not be started, or ended with an error; the sentence says which and what it last wrote.
    case failed(String)

    package var description: String {
        switch self {
        case .notInstalled:
            "PostgreSQL is not installed: initdb and postgres are neither under /usr/lib/postgresql nor in PATH; "
                + "install the package postgresql"
        case .failed(let sentence): sentence
        }
    }
}

/// Where the server's programs are and how they are run, since they refuse to run as root.
struct ServerPrograms {
    /// The folder that holds `initdb` and `postgres`.
    let folder: String
    /// What stands before each command; empty unless we are root.
    let prefix: [String]
    /// The user and group whose files the server's are.
    let owner: (user: uid_t, group: gid_t)

    /// Looks for the newest installed version.
    ///
    /// - Throws: ``ClusterFailure/notInstalled``; ``ClusterFailure/failed(_:)`` if we are root and there is no user
    ///   `postgres`.
    init() throws(ClusterFailure) {
        let versions = FileTree.names(in: "/usr/lib/postgresql").sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        let candidates =
            versions.map { "/usr/lib/postgresql/\($0)/bin" } + path.split(separator: ":").map(String.init)
        let found = candidates.first { folder in
            unsafe access(folder + "/initdb", X_OK) == 0 && access(folder + "/postgres", X_OK) == 0
        }
        guard let found else { throw .notInstalled }
        folder = found
        guard geteuid() == 0 else {
            prefix = []
            owner = (geteuid(), getegid())
            return
        }
        guard let user = unsafe getpwnam("postgres") else {
            throw .failed("PostgreSQL refuses to run as root, and there is no user postgres")
        }
        owner = unsafe (user.pointee.pw_uid, user.pointee.pw_gid)
        prefix = ["setpriv", "--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups"]
    }

    /// The command for one of the programs.
    func command(_ program: String, _ arguments: [String]) -> [String] {
        prefix + ["\(folder)/\(program)"] + arguments
    }
}

/// A port on the loopback interface that nobody listens on at the moment.
private enum FreePort {
    /// Asks the system for one; nil if it has none.
    static func find() -> UInt16? {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { return nil }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }
}
