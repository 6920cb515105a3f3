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
        _ durability: ThrowawayCluster.Durability
    ) throws(ClusterFailure) -> ClusterFolder {
        let parent = durability == .volatile && hasMemory ? memory : temporary
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
        try? ChildProcess.run(["rm", "-rf", "--", path], log: "/dev/null")
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
