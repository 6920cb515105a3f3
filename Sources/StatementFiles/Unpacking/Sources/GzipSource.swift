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
