import Glibc

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
