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
