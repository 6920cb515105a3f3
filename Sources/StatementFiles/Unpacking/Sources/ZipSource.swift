/// The files of a zip archive.
///
/// They are read in the order of their data, so that the file need not be read twice; that the directory at the end is
/// there and counts the same members is looked at behind the last one.
final class ZipSource: MemberSource {
    private let file: SourceFile
    private let stream: ArchiveStream
    private let limits: ReportFileLimits
    private var entries = 0
    private var files = 0

    init(_ file: SourceFile, limits: ReportFileLimits) throws(ReportFileProblem) {
        self.file = file
        self.limits = limits
        stream = try ArchiveStream(file, kind: .zip, limits: limits)
    }

    func nextMember() throws(ReportFileProblem) -> MemberName? {
        while let entry = try stream.nextHeader() {
            entries += 1
            guard entries <= limits.memberCount else { throw .archive(.tooManyMembers) }
            let name = entry.name ?? "member \(entries)"
            guard MemberName.isSafe(name) else { throw .archive(.unsafeName) }
            guard !entry.isEncrypted else { throw .archive(.encrypted(member: name)) }
            if entry.kind == .folder || MemberName.isAddedByFinder(name) { continue }
            guard entry.kind == .file else { throw .archive(.notAFile(member: name)) }
            files += 1
            return MemberName(text: name)
        }
        guard files > 0 else { throw .archive(.noFiles) }
        return nil
    }

    func read() throws(ReportFileProblem) -> [UInt8] { try stream.read() }

    func finish() throws(ReportFileProblem) {
        while try !file.next().isEmpty {}
        guard let directory = ZipDirectory(endingAt: file.bytesRead, tail: file.tail) else {
            throw .archive(.truncated)
        }
        guard directory.entries == entries else {
            throw .archive(.corrupt("its directory does not list the members that are in it"))
        }
    }
}
