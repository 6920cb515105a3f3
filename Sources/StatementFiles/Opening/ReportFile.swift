/// A file that an operator hands over: settlement report or bank statement, packed by gzip or zip or not.
///
/// It is read front to back, once, in memory that does not grow with it; the SHA-256 of the file as it lies on disk is
/// computed on the way. After a throw the file is unusable as a whole: every further call throws the same.
package final class ReportFile {
    /// How many bytes the file has on disk; what a progress bar ends at.
    package var sizeBytes: Int64 { file.sizeBytes }
    /// How many of them were read.
    package var bytesRead: Int64 { file.bytesRead }

    private let file: SourceFile
    private let source: any MemberSource
    private let detection: FormatDetection
    private var reader: MemberReader?
    private var memberName: String?
    private var members = 0
    /// What is to be answered next, the first last.
    private var waiting: [ReportItem] = []
    private var hasEnded = false
    private var failure: ReportFileProblem?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: where it lies.
    ///   - formats: what it may be written in.
    ///   - chosen: the name of the one format that it is written in, if the operator says so; it is not looked for then.
    ///   - limits: how far an archive may expand.
    /// - Throws: ``ReportFileProblem``.
    package init(
        path: String,
        formats: ReportFormats,
        chosen: String? = nil,
        limits: ReportFileLimits = ReportFileLimits()
    ) throws(ReportFileProblem) {
        file = try SourceFile(path: path)
        detection = FormatDetection(formats, chosen: chosen)
        let head = try file.head()
        guard !head.isEmpty else { throw .empty }
        source = try Container(head: head).source(file, limits: limits)
    }

    /// What comes next; nil behind ``ReportItem/end(_:)``.
    ///
    /// - Throws: ``ReportFileProblem``.
    package func next() throws(ReportFileProblem) -> ReportItem? {
        if let failure { throw failure }
        do throws(ReportFileProblem) {
            while waiting.isEmpty, !hasEnded { waiting = try advance().reversed() }
            return waiting.popLast()
        } catch {
            failure = error
            throw error
        }
    }

    /// Reads a piece, or goes to the next file.
    private func advance() throws(ReportFileProblem) -> [ReportItem] {
        guard var reader else { return try beginMember() }
        let chunk = try source.read()
        defer { self.reader = chunk.isEmpty ? nil : reader }
        // Nobody else may hold the reader while it is changed, or all of it is copied.
        self.reader = nil
        return chunk.isEmpty
            ? try reader.finish(member: memberName) : try reader.read(chunk[...], member: memberName)
    }

    private func beginMember() throws(ReportFileProblem) -> [ReportItem] {
        guard let name = try source.nextMember() else {
            guard members > 0 else { throw .empty }
            try source.finish()
            hasEnded = true
            return [.end(try file.finish())]
        }
        members += 1
        memberName = name.text
        var head: [UInt8] = []
        while head.count < FormatDetection.headBytes {
            let chunk = try source.read()
            if chunk.isEmpty { break }
            head += chunk
        }
        let detected = try detection.format(Array(head.prefix(FormatDetection.headBytes)), member: name.text)
        var reader = detected.reader()
        let items = try reader.read(head[...], member: name.text)
        self.reader = reader
        return [.member(ReportMember(number: members, name: name.text, format: detected.format))] + items
    }
}
