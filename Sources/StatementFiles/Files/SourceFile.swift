import Crypto
import Glibc
import WireFormats

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
        return FileDigest(sha256: Hexadecimal.encode(hash.finalize()), byteCount: bytesRead)
    }

    private func keep(_ chunk: [UInt8]) {
        guard !chunk.isEmpty else { return }
        lastChunks.append(chunk)
        while lastChunks.dropFirst().reduce(0, { $0 + $1.count }) >= Self.tailBytes { lastChunks.removeFirst() }
    }
}

/// What hands over the bytes of a file, or of each file of an archive.
protocol MemberSource: AnyObject {
    /// Goes to the next file; nil if there is none.
    ///
    /// - Returns: its name in the archive; nil inside for a file that is none.
    func nextMember() throws(ReportFileProblem) -> MemberName?

    /// The next bytes of the file; empty at its end.
    func read() throws(ReportFileProblem) -> [UInt8]

    /// Looks, behind the last file, whether the archive is whole.
    func finish() throws(ReportFileProblem)
}

/// What a file is called in the archive that it is part of.
struct MemberName: Hashable, Sendable {
    /// The name; nil for a file that is part of none.
    let text: String?

    /// Whether a name stays in its folder, and shows what it is.
    ///
    /// Nothing is ever written under a member's name; a name that tries to leave is refused all the same, because whoever
    /// made the archive means no good.
    static func isSafe(_ name: String) -> Bool {
        let parts = name.split { $0 == "/" || $0 == "\\" }
        return !name.isEmpty && name.utf8.count <= 1_024 && !name.hasPrefix("/") && !name.hasPrefix("\\")
            && !parts.contains("..") && !parts.contains { $0.dropFirst().first == ":" && $0.count == 2 }
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    /// Whether it is what macOS adds to archives, beside the files.
    static func isAddedByFinder(_ name: String) -> Bool {
        name.hasPrefix("__MACOSX/") || name == ".DS_Store" || name.hasSuffix("/.DS_Store")
    }
}

/// A file that is not packed.
final class PlainSource: MemberSource {
    private let file: SourceFile
    private var isOpen = false

    init(_ file: SourceFile) { self.file = file }

    func nextMember() -> MemberName? {
        guard !isOpen else { return nil }
        isOpen = true
        return MemberName(text: nil)
    }

    func read() throws(ReportFileProblem) -> [UInt8] { try file.next() }

    func finish() {}
}

/// A file that is packed by gzip (RFC 1952).
///
/// libarchive does not look at gzip's checksum and length, so it is done here, against the file's last eight bytes.
/// Several streams in one file, which RFC 1952 allows, fail there: no bank and no PSP is known to write them.
final class GzipSource: MemberSource {
    private let file: SourceFile
    private let stream: ArchiveStream
    private var checksum = CRC32()
    private var expandedBytes: Int64 = 0

    init(_ file: SourceFile, limits: ReportFileLimits) throws(ReportFileProblem) {
        self.file = file
        stream = try ArchiveStream(file, kind: .gzip, limits: limits)
    }

    func nextMember() throws(ReportFileProblem) -> MemberName? {
        try stream.nextHeader() == nil ? nil : MemberName(text: nil)
    }

    func read() throws(ReportFileProblem) -> [UInt8] {
        let bytes = try stream.read()
        checksum.update(bytes)
        expandedBytes += Int64(bytes.count)
        return bytes
    }

    func finish() throws(ReportFileProblem) {
        while try !file.next().isEmpty {}
        let end = file.tail.suffix(8).reversed().map { UInt32($0) }
        guard end.count == 8 else { throw .archive(.truncated) }
        let values = [end[4...7], end[0...3]].map { $0.reduce(0) { $0 << 8 | $1 } }
        guard values == [checksum.value, UInt32(truncatingIfNeeded: expandedBytes)] else {
            throw .archive(
                .corrupt("checksum and length are not those at its end, or several gzip streams were joined")
            )
        }
    }
}

/// What a file is packed in, by its first bytes.
enum Container {
    case none
    case gzip
    case zip

    init(head: [UInt8]) {
        self =
            switch head.prefix(4) {
            case let start where start.starts(with: [0x1F, 0x8B]): .gzip
            case [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]: .zip
            default: .none
            }
    }

    /// What hands over the bytes inside.
    func source(_ file: SourceFile, limits: ReportFileLimits) throws(ReportFileProblem) -> any MemberSource {
        switch self {
        case .none: PlainSource(file)
        case .gzip: try GzipSource(file, limits: limits)
        case .zip: try ZipSource(file, limits: limits)
        }
    }
}
