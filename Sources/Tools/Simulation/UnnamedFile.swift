import Glibc
import Reconciliation

/// A file on disk that only this process finds, and that is gone with it.
final class UnnamedFile: Sendable {
    /// The system made no file.
    struct Unmade: Error, CustomStringConvertible {
        /// A sentence.
        let description = "no file can be made in \(ReconciliationScope().spillDirectory)"
    }

    private let descriptor: Int32

    /// Writes a file.
    ///
    /// - Throws: ``Unmade``.
    init(_ bytes: [UInt8]) throws(Unmade) {
        descriptor = unsafe open(ReconciliationScope().spillDirectory, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Unmade() }
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count else {
            close(descriptor)
            throw Unmade()
        }
    }

    deinit { close(descriptor) }

    /// Where it is read.
    var path: String { "/proc/self/fd/\(descriptor)" }
}
