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
