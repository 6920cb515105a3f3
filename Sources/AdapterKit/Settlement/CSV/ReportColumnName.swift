/// The columns that a table knows: an enumeration whose raw values are the names in the header.
public protocol ReportColumnName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}
