import CPostgres
import Glibc

/// A program that this process started.
struct ChildProcess: Sendable {
    /// The number of its process, ours to wait for.
    let id: pid_t

    /// Starts a program, found in PATH, with nothing on standard input and both outputs at the end of a file.
    ///
    /// It inherits no open file but those, no blocked or ignored signal, and little of the environment.
    ///
    /// - Throws: ``ClusterFailure/failed(_:)`` if it cannot be started.
    init(_ command: [String], log: String) throws(ClusterFailure) {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        unsafe posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&files, 1, 2)
        unsafe spawn_file_actions_detach(&files)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        let environment = CStringList(["PATH=\(path)", "LC_ALL=C", "TZ=UTC"])
        let arguments = CStringList(command)
        var id = pid_t()
        let failure = unsafe arguments.withPointers { arguments in
            unsafe environment.withPointers { environment in
                unsafe posix_spawnp(&id, command[0], &files, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else { throw .failed("\(command[0]) could not be started (error \(failure))") }
        self.id = id
    }

    /// Runs a program to its end.
    ///
    /// - Throws: ``ClusterFailure/failed(_:)`` if it cannot be started or does not end with 0.
    static func run(_ command: [String], log: String) throws(ClusterFailure) {
        let child = try ChildProcess(command, log: log)
        guard child.wait() == 0 else {
            let said = FileTree.text(of: log).map { String($0.suffix(500)) } ?? ""
            throw .failed("\(command.first { $0.contains("/") } ?? command[0]) failed: \(said)")
        }
    }

    /// Blocks until it ended; its exit code, or -1 if a signal ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    /// Whether it has ended; then its number may be another process's.
    func hasEnded() -> Bool {
        var status: Int32 = 0
        return unsafe waitpid(id, &status, WNOHANG) != 0
    }
}
