import Glibc

/// The few things a throwaway server needs of the file system.
enum FileTree {
    /// What a folder holds, without `.` and `..`; nothing if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
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
