package import AdapterKit
import Glibc

/// Why a file cannot be read.
package enum ReportFileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system refuses to open or to read it; its `errno`.
    case system(code: Int32)
    /// It is a folder, a device or a socket.
    case notAFile
    /// There is nothing in it.
    case empty
    /// It changed its length while it was read.
    case changed
    /// It is an archive that cannot be unpacked.
    case archive(ArchiveProblem)
    /// It is in none of the formats: what it looks like, and the names of those that are known.
    case unknownFormat(member: String?, seen: String, known: [String])
    /// It is in several of the formats, so that it is not known which one counts.
    case ambiguous(member: String?, formats: [String])
    /// The operator names a format that there is not.
    case noSuchFormat(String, known: [String])
    /// It is a settlement report that cannot be read.
    case settlement(member: String?, SettlementProblem)
    /// It is a bank's file that cannot be read.
    case bank(member: String?, BankProblem)

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .system(let code): "The file cannot be read: \(SystemError.text(code))."
        case .notAFile: "It is no file."
        case .empty: "The file is empty."
        case .changed: "The file changed while it was read."
        case .archive(let problem): problem.description
        case .unknownFormat(let member, let seen, let known):
            Self.prefix(member) + "This looks like \(seen); known are \(known.joined(separator: ", "))."
        case .ambiguous(let member, let formats):
            Self.prefix(member) + "This can be any of \(formats.joined(separator: ", ")); say which."
        case .noSuchFormat(let name, let known):
            "There is no format \(name); known are \(known.joined(separator: ", "))."
        case .settlement(let member, let problem): Self.prefix(member) + problem.description
        case .bank(let member, let problem): Self.prefix(member) + problem.description
        }
    }

    private static func prefix(_ member: String?) -> String { member.map { "\($0): " } ?? "" }
}

/// Why an archive cannot be unpacked.
package enum ArchiveProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It ends before it is complete.
    case truncated
    /// It is damaged: a checksum, a length or the structure is wrong; what the library or we say of it.
    case corrupt(String)
    /// A member is encrypted.
    case encrypted(member: String)
    /// No member is a file.
    case noFiles
    /// A member is a link, a device or something else that is no file.
    case notAFile(member: String)
    /// A member's name leaves the archive's folder or has control characters.
    case unsafeName
    /// There are more members than ``ReportFileLimits/memberCount``.
    case tooManyMembers
    /// More than ``ReportFileLimits/expandedBytes`` come out.
    case tooLarge
    /// More than ``ReportFileLimits/expansionRatio`` times the bytes come out.
    case expandsTooFar

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .truncated: "The archive ends before it is complete."
        case .corrupt(let what): "The archive is damaged: \(what)."
        case .encrypted(let member): "The archive's member \(member) is encrypted; unpack it first."
        case .noFiles: "The archive has no file in it."
        case .notAFile(let member): "The archive's member \(member) is no file."
        case .unsafeName: "A member of the archive has a name that leaves its folder or has control characters."
        case .tooManyMembers: "The archive has too many members."
        case .tooLarge: "The archive unpacks to more than any report has."
        case .expandsTooFar: "The archive unpacks to far more than it should; it may be made to exhaust memory."
        }
    }
}

/// What the system's error numbers mean.
enum SystemError {
    /// The system's words for a number.
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
