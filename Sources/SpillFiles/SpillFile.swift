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
