package import AdapterKit

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
