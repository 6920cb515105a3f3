import CPostgres
import Glibc

/// The folder of a throwaway server, whose name says which process it belongs to.
///
/// A process that is killed cannot clean up. The next one does, by ``sweep()``, and touches a server only if the
/// folder is of this user, its process is gone, and the server's own command line names the folder.
struct ClusterFolder: Sendable {
    private static let prefix = "tributary-postgres-"

    let path: String
    /// The server's data, which belong to the user it runs as.
    var data: String { path + "/data" }
    /// What its programs say.
    var log: String { path + "/log" }

    private init(path: String) {
        self.path = path
    }

    /// Makes a new folder for this process.
    ///
    /// What need not outlive the machine is kept in memory if there is room: a disk takes most of its time over the
    /// hundreds of files that each database is made of.
    ///
    /// - Throws: ``ClusterFailure/failed(_:)`` if the temporary folder cannot be written.
    static func create(
        owner: (user: uid_t, group: gid_t),
        _ durability: ThrowawayCluster.Durability,
        in folder: String? = nil
    ) throws(ClusterFailure) -> ClusterFolder {
        let parent = folder ?? (durability == .volatile && hasMemory ? memory : temporary)
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        let name = "\(prefix)\(processes)-\(getpid())-\(startTime(of: getpid()) ?? "0")-\(random)"
        let folder = ClusterFolder(path: "\(parent)/\(name)")
        // Others may pass through it to the data, which have their own protection.
        guard unsafe mkdir(folder.path, 0o711) == 0, unsafe mkdir(folder.data, 0o700) == 0,
            unsafe chown(folder.data, owner.user, owner.group) == 0
        else { throw .failed("the folder \(folder.path) could not be made (error \(errno))") }
        return folder
    }

    /// Removes the folders, and stops the servers, of processes that are gone.
    static func sweep() {
        for parent in [temporary, memory] { sweep(parent) }
    }

    private static func sweep(_ parent: String) {
        for name in FileTree.names(in: parent) where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: "-")
            let folder = ClusterFolder(path: "\(parent)/\(name)")
            guard parts.count == 4, parts[0] == processes, let owner = pid_t(parts[1]),
                startTime(of: owner) != String(parts[2]),
                FileTree.isOwnFolder(folder.path)
            else { continue }
            folder.stopOrphan()
            folder.remove()
        }
    }

    /// Removes the folder with all it holds.
    func remove() {
        try? ClusterProcess.run(["rm", "-rf", "--", path], log: "/dev/null")
    }

    /// Stops the server that was left behind in this folder, if it still runs.
    private func stopOrphan() {
        guard let first = FileTree.text(of: data + "/postmaster.pid")?.split(separator: "\n").first,
            let server = pid_t(first), server > 1, isServer(server)
        else { return }
        kill(server, SIGQUIT)
        for _ in 0..<500 where isServer(server) { usleep(10_000) }
    }

    /// Whether a process is the server of this folder.
    private func isServer(_ id: pid_t) -> Bool {
        guard let commandLine = FileTree.text(of: "/proc/\(id)/cmdline") else { return false }
        return commandLine.split(separator: "\0").contains { $0 == data }
    }

    private static var temporary: String {
        unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    }

    /// Where Linux keeps files in memory.
    private static let memory = "/dev/shm"

    /// Whether a server's files fit into memory with room to spare: 4 GiB, of which the tests take less than one.
    private static var hasMemory: Bool {
        let needed: UInt64 = 4 << 30
        var space = statvfs()
        guard unsafe statvfs(memory, &space) == 0, unsafe access(memory, W_OK | X_OK) == 0 else { return false }
        guard UInt64(space.f_bavail) * UInt64(space.f_frsize) >= needed else { return false }
        // What a container may use is a number or the word "max"; of the machine, the third line says what is free.
        let allowed = FileTree.text(of: "/sys/fs/cgroup/memory.max").flatMap { UInt64($0.dropLast()) } ?? .max
        let lines = FileTree.text(of: "/proc/meminfo")?.split(separator: "\n") ?? []
        let free = lines.first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ").dropFirst().first
        return allowed >= 2 * needed && (free.flatMap { UInt64($0) } ?? 0) >= needed >> 10
    }

    /// Among which processes a number names one: containers may share folders and not their numbers.
    private static let processes: String = {
        var bytes = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink("/proc/self/ns/pid", &bytes, bytes.count)
        let digits = bytes.prefix(max(0, count)).filter { (48...57).contains($0) }
        return String(decoding: digits.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// When a process started, in the kernel's ticks, which tells two of one number apart; nil if there is none.
    private static func startTime(of process: pid_t) -> String? {
        // The second field is the program's name in parentheses, which may hold anything.
        guard let status = FileTree.text(of: "/proc/\(process)/stat"), let name = status.lastIndex(of: ")") else {
            return nil
        }
        let fields = status[name...].split(separator: " ")
        return fields.count > 20 ? String(fields[20]) : nil
    }
}

/// The few things a throwaway server needs of the file system.
enum FileTree {
    /// What a folder holds, without `.` and `..`; nothing if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // An entry has no more bytes than its name needs, so that the whole field must not be copied.
            guard let place = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
            let bytes = unsafe UnsafeRawPointer(entry) + place
            let name = unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// A small file's text, or nil if it cannot be read or is a link.
    static func text(of path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = unsafe read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a new file that only its owner may read.
    static func write(_ text: String, to path: String, owner: (user: uid_t, group: gid_t)) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = Array(text.utf8)
        return unsafe Glibc.write(file, &bytes, bytes.count) == bytes.count
            && fchown(file, owner.user, owner.group) == 0
    }

    /// Whether a path is a folder, no link, that belongs to this process's user.
    static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
    }
}

/// A program that this process started.
struct ClusterProcess: Sendable {
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
        let child = try ClusterProcess(command, log: log)
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
