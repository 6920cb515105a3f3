import Glibc

/// A file that only its owner may read and write.
enum PrivateFile {
    /// Creates an empty file; one that exists is left alone, and what hinders it is left to whoever opens it.
    ///
    /// A file that exists must not even be opened: closing it would drop the locks that this process has on it.
    static func create(at path: String) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
