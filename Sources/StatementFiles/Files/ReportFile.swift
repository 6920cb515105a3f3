package import AdapterKit
package import Domain

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

/// How far an archive may expand.
///
/// A report of ten million lines has two or three gigabytes and is packed to a tenth or a twentieth; deflate can do no
/// more than 1,032 to 1.
package struct ReportFileLimits: Hashable, Sendable {
    /// The most bytes that come out of an archive, over all its members: 32 GiB.
    package var expandedBytes: Int64 = 34_359_738_368
    /// The most bytes that come out for each byte that goes in, beyond ``ratioFreeBytes``: 250.
    ///
    /// Lines that differ in nothing but a number still need a hundredth of their size.
    package var expansionRatio: Int64 = 250
    /// How many bytes may come out before the ratio is looked at: 16 MiB.
    package var ratioFreeBytes: Int64 = 16_777_216
    /// The most members of an archive, folders included: 1,000.
    package var memberCount = 1_000

    /// Makes the limits that hold for operators' files.
    package init() {}
}

/// Reads one file, whatever it is written in.
enum MemberReader {
    case settlement(any SettlementReport)
    case bank(any BankReader)

    /// Reads on.
    mutating func read(_ chunk: ArraySlice<UInt8>, member: String?) throws(ReportFileProblem) -> [ReportItem] {
        switch self {
        case .settlement(var report):
            do throws(SettlementProblem) {
                let lines = try report.read(chunk)
                self = .settlement(report)
                return lines.isEmpty ? [] : [.settlementLines(lines)]
            } catch {
                throw .settlement(member: member, error)
            }
        case .bank(var reader):
            do throws(BankProblem) {
                let items = try reader.read(chunk)
                self = .bank(reader)
                return items.isEmpty ? [] : [.bankItems(items)]
            } catch {
                throw .bank(member: member, error)
            }
        }
    }

    /// Ends the reading.
    mutating func finish(member: String?) throws(ReportFileProblem) -> [ReportItem] {
        switch self {
        case .settlement(var report):
            do throws(SettlementProblem) {
                let trailer = try report.finish()
                return (trailer.lines.isEmpty ? [] : [.settlementLines(trailer.lines)]) + [.settlementEnd(trailer)]
            } catch {
                throw .settlement(member: member, error)
            }
        case .bank(var reader):
            do throws(BankProblem) {
                let (items, trailer) = try reader.finish()
                return (items.isEmpty ? [] : [.bankItems(items)]) + [.bankEnd(trailer)]
            } catch {
                throw .bank(member: member, error)
            }
        }
    }
}

/// What a file that an operator hands over holds, in its order.
///
/// Nothing of it may be kept for good before ``end(_:)``: only then is it known that no part is damaged or cut off.
package enum ReportItem: Sendable {
    /// A file begins: the only one, or the next of an archive.
    case member(ReportMember)
    /// Lines of a PSP's settlement report.
    case settlementLines([SettlementLine])
    /// The settlement report ends; the trailer's own lines have been handed over.
    case settlementEnd(SettlementTrailer)
    /// What a bank's file holds.
    case bankItems([BankItem])
    /// The bank's file ends.
    case bankEnd(BankTrailer)
    /// All of it was read, and it is whole.
    case end(FileDigest)
}

/// A file with a report in it: one that lies on disk, or one of an archive.
package struct ReportMember: Hashable, Sendable {
    /// Which it is, the first being 1.
    package let number: Int
    /// Its name in the archive; nil for a file that is none.
    package let name: String?
    /// What it is written in.
    package let format: ReportFormat

    /// Makes a member.
    package init(
        number: Int,
        name: String?,
        format: ReportFormat
    ) {
        self.number = number
        self.name = name
        self.format = format
    }
}

/// A file as it lies on disk, packed or not.
package struct FileDigest: Hashable, Sendable {
    /// SHA-256 of its bytes, 64 lower-case hexadecimal digits.
    package let sha256: String
    /// How many bytes it has.
    package let byteCount: Int64

    /// Makes a digest.
    package init(sha256: String, byteCount: Int64) {
        self.sha256 = sha256
        self.byteCount = byteCount
    }

    /// Reads a file for nothing but its digest.
    ///
    /// - Throws: ``ReportFileProblem``.
    package init(ofFileAt path: String) throws(ReportFileProblem) {
        let file = try SourceFile(path: path)
        self = try file.finish()
        guard byteCount > 0 else { throw .empty }
    }
}
