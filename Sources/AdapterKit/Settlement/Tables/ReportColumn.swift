/// A column of a report, by its name and its place in this file.
public struct ReportColumn: Hashable, Sendable {
    /// The name in lower case.
    public let name: String
    /// The place in a row, from 0; nil if this file has no such column.
    public let index: Int?
}
