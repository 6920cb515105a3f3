import Glibc

/// The `openssl` command line as a child process, with a socket for its input and output.
///
/// The socket keeps messages apart, as `s_server` takes one that begins with a letter like Q for a command.
/// Foundation's `Process` will not do: its children inherit each other's descriptors and the blocked signals of
/// the thread that started them, so that they neither end when told to nor are seen to end.
struct OpenSSLProcess: Sendable {
    private let identifier: pid_t
    private let channel: Int32

    /// - Throws: `OpenSSLFailure` if there is no such command.
    init(_ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw OpenSSLFailure(command: "socketpair") }
        defer { close(ends[1]) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // What Foundation opens is inherited: a server would keep another test's pipe open, or its file for writing.
        for descriptor in (STDERR_FILENO + 1)..<4096 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var words = unsafe (["openssl"] + arguments).map { unsafe strdup($0) } + [nil]
        defer { for index in 0...arguments.count { unsafe free(words[index]) } }
        var identifier: pid_t = 0
        let code = unsafe posix_spawnp(&identifier, "openssl", &actions, nil, &words, environ)
        self.identifier = identifier
        channel = ends[0]
        guard code == 0 else {
            close(channel)
            throw OpenSSLFailure(command: arguments.first ?? "")
        }
    }

    /// Runs a command to its end.
    ///
    /// - Throws: `OpenSSLFailure` unless it succeeded.
    static func run(_ arguments: [String]) throws {
        let process = try OpenSSLProcess(arguments)
        while process.read() != nil {}
        guard process.wait() == 0 else { throw OpenSSLFailure(command: arguments.first ?? "") }
    }

    /// The next message of its output; nil at the end.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(channel, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Gives it one message to read.
    func write(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe send(channel, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Makes it end at once, whereupon `read` comes to an end too.
    func kill() { _ = Glibc.kill(identifier, SIGKILL) }

    /// Waits for its end and frees the socket; its exit status, or nil if it was killed.
    @discardableResult func wait() -> Int32? {
        var status: Int32 = 0
        unsafe waitpid(identifier, &status, 0)
        close(channel)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}

/// The `openssl` command line is missing, or refused to do something.
struct OpenSSLFailure: Error {
    let command: String
}
