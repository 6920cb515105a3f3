import Glibc

/// A temporary file without a name: nobody else can open it, and it is gone when it is closed, a crash included.
///
/// One caller at a time.
package final class SpillFile {
    /// Where temporary files are kept: what `TMPDIR` names, else where the system keeps them.
    package static var standardDirectory: String {
        guard let directory = unsafe getenv("TMPDIR") else { return P_tmpdir }
        return unsafe String(cString: directory)
    }

    private let file: OpenFile
    private var length = 0

    /// Makes an empty file on the file system of a directory, readable by nobody but its owner.
    ///
    /// - Throws: ``SpillProblem/notCreated(directory:errorNumber:)``.
    package init(in directory: String) throws(SpillProblem) {
        var descriptor = unsafe open(directory, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            descriptor = Self.unlinked(in: directory)
        }
        guard descriptor >= 0 else { throw .notCreated(directory: directory, errorNumber: errno) }
        file = OpenFile(descriptor)
    }

    /// For file systems that cannot make files without a name: the name is taken away at once.
    private static func unlinked(in directory: String) -> Int32 {
        var template = (directory + "/tributary-XXXXXX").utf8CString
        return unsafe template.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let name = buffer.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(name)
            if descriptor >= 0 {
                unsafe unlink(name)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
            return descriptor
        }
    }

    /// Writes at the end.
    ///
    /// - Throws: ``SpillProblem/full`` or ``SpillProblem/notWritten(errorNumber:)``.
    package func append(_ bytes: [UInt8]) throws(SpillProblem) -> SpillBlock { try append(bytes, count: bytes.count) }

    /// Writes the records of a buffer at the end.
    ///
    /// - Throws: ``SpillProblem/full`` or ``SpillProblem/notWritten(errorNumber:)``.
    package func append(_ buffer: RecordBuffer) throws(SpillProblem) -> SpillBlock {
        try append(buffer.bytes, count: buffer.count)
    }

    private func append(_ bytes: [UInt8], count: Int) throws(SpillProblem) -> SpillBlock {
        var done = 0
        while done < count {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(file.descriptor, $0.baseAddress.map { unsafe $0 + done }, count - done, length + done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .writing(written < 0 ? errno : ENOSPC) }
            done += written
        }
        let block = SpillBlock(offset: length, count: count)
        let pages = (count + SpillBlock.alignment - 1) / SpillBlock.alignment
        length += pages * SpillBlock.alignment
        return block
    }

    /// Reads blocks, one behind the other, and puts more behind them.
    ///
    /// - Throws: ``SpillProblem/notRead(errorNumber:)`` or ``SpillProblem/truncated``.
    package func read(_ blocks: [SpillBlock], followedBy rest: [UInt8]) throws(SpillProblem) -> [UInt8] {
        try file.read(blocks, followedBy: rest)
    }

    /// The blocks, for callers who read and add nothing.
    package func sealed(_ blocks: [SpillBlock]) -> SpilledBlocks { SpilledBlocks(file: file, blocks: blocks) }
}

/// An open file from which blocks are read, by any number of callers at once; closed with its last owner.
final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads blocks, one behind the other, and puts more behind them.
    func read(_ blocks: [SpillBlock], followedBy rest: [UInt8]) throws(SpillProblem) -> [UInt8] {
        let total = blocks.reduce(0) { $0 + $1.count }
        var problem: SpillProblem?
        var bytes = unsafe [UInt8](unsafeUninitializedCapacity: total + rest.count) { buffer, count in
            for block in blocks {
                let end = count + block.count
                while problem == nil, count < end {
                    let offset = block.offset + block.count - (end - count)
                    let found = unsafe pread(
                        descriptor,
                        buffer.baseAddress.map { unsafe $0 + count },
                        end - count,
                        offset
                    )
                    if found < 0, errno == EINTR { continue }
                    if found > 0 {
                        count += found
                    } else {
                        problem = found < 0 ? .notRead(errorNumber: errno) : .truncated
                    }
                }
            }
        }
        if let problem { throw problem }
        bytes.append(contentsOf: rest)
        return bytes
    }
}

/// Blocks of a temporary file, to be read any number of times and by any number of callers.
package struct SpilledBlocks: Sendable {
    private let file: OpenFile
    private let blocks: [SpillBlock]

    init(file: OpenFile, blocks: [SpillBlock]) {
        self.file = file
        self.blocks = blocks
    }

    /// Hands over block after block, in the order in which they were written.
    ///
    /// - Throws: ``SpillProblem``, and what the body throws.
    package func handOver(to body: ([UInt8]) throws -> Void) throws {
        for block in blocks { try body(file.read([block], followedBy: [])) }
    }
}

/// A stretch of a spill file, in few bytes: a long report has hundreds of thousands.
package struct SpillBlock: Hashable, Sendable {
    /// What blocks begin at a multiple of, in bytes: a page of memory, so that no two share one.
    static let alignment = 4_096

    /// Where it begins, in units of ``alignment``: up to 16 TiB.
    private let page: UInt32
    private let length: UInt32

    init(offset: Int, count: Int) {
        page = UInt32(offset / Self.alignment)
        length = UInt32(count)
    }

    /// Where it begins, in bytes.
    package var offset: Int { Int(page) * Self.alignment }
    /// How long it is, in bytes.
    package var count: Int { Int(length) }
}

/// Why memory cannot be spilled to disk.
package enum SpillProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No file can be made in the directory; the system's error number.
    case notCreated(directory: String, errorNumber: Int32)
    /// The disk, or the share of it that the user may have, is full.
    case full
    /// Writing failed otherwise.
    case notWritten(errorNumber: Int32)
    /// Reading failed.
    case notRead(errorNumber: Int32)
    /// The file is shorter than what was written to it.
    case truncated

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .notCreated(let directory, let number):
            "No temporary file can be made in \(directory): \(Self.text(number))."
        case .full: "The disk is full where temporary files are kept; TMPDIR names another place."
        case .notWritten(let number): "A temporary file cannot be written: \(Self.text(number))."
        case .notRead(let number): "A temporary file cannot be read: \(Self.text(number))."
        case .truncated: "A temporary file has become shorter."
        }
    }

    static func writing(_ errorNumber: Int32) -> SpillProblem {
        errorNumber == ENOSPC || errorNumber == EDQUOT ? .full : .notWritten(errorNumber: errorNumber)
    }

    private static func text(_ errorNumber: Int32) -> String {
        guard let text = unsafe strerror(errorNumber) else { return "error \(errorNumber)" }
        return unsafe String(cString: text)
    }
}
