import Crypto
import Glibc

/// A file on disk, read front to back and hashed on the way.
@safe final class SourceFile {
    /// How many bytes are read at a time; few enough that they, and what is made of them, stay in a processor's cache.
    static let chunkBytes = 65_536
    /// How much of the file's end is kept: the end record of a zip archive with the longest comment.
    static let tailBytes = 65_557

    /// How many bytes the file had when it was opened.
    let sizeBytes: Int64
    /// How many of them were read.
    private(set) var bytesRead: Int64 = 0
    /// The last bytes that were read, at least ``tailBytes`` of them if there are as many.
    var tail: [UInt8] { lastChunks.flatMap(\.self) }
    /// The last chunks, enough of them for the tail.
    private var lastChunks: [[UInt8]] = []
    private let descriptor: Int32
    private var hash = SHA256()
    private var first: [UInt8]?

    /// Opens a file.
    ///
    /// - Throws: ``ReportFileProblem/system(code:)`` or ``ReportFileProblem/notAFile``.
    init(path: String) throws(ReportFileProblem) {
        // Without O_NONBLOCK, a pipe without a writer would be waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(code: errno) }
        self.descriptor = descriptor
        var status = stat()
        let result = unsafe fstat(descriptor, &status)
        sizeBytes = Int64(status.st_size)
        guard result == 0 else { throw .system(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit { close(descriptor) }

    /// The first bytes, up to ``chunkBytes``; ``next()`` answers them, too.
    func head() throws(ReportFileProblem) -> [UInt8] {
        if let first { return first }
        let head = try next()
        first = head
        return head
    }

    /// The next bytes; empty at the end.
    ///
    /// - Throws: ``ReportFileProblem/system(code:)``, or ``ReportFileProblem/changed`` if the file is not as long as it
    ///   was when it was opened.
    func next() throws(ReportFileProblem) -> [UInt8] {
        if let first {
            self.first = nil
            if !first.isEmpty { return first }
        }
        var code: Int32 = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, count in
            while count < Self.chunkBytes, let start = buffer.baseAddress {
                let read = unsafe Glibc.read(descriptor, start + count, Self.chunkBytes - count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { code = errno }
                guard read > 0 else { return }
                count += read
            }
        }
        guard code == 0 else { throw .system(code: code) }
        bytesRead += Int64(chunk.count)
        guard chunk.isEmpty ? bytesRead == sizeBytes : bytesRead <= sizeBytes else { throw .changed }
        unsafe chunk.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
        keep(chunk)
        return chunk
    }

    /// Reads what is left, and says what the whole file is.
    func finish() throws(ReportFileProblem) -> FileDigest {
        while try !next().isEmpty {}
        let sha256 = hash.finalize().reduce(into: "") { text, byte in
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
        return FileDigest(sha256: sha256, byteCount: bytesRead)
    }

    private func keep(_ chunk: [UInt8]) {
        guard !chunk.isEmpty else { return }
        lastChunks.append(chunk)
        while lastChunks.dropFirst().reduce(0, { $0 + $1.count }) >= Self.tailBytes { lastChunks.removeFirst() }
    }
}
