/// One PSP's table: which columns it has, and what a row says.
public protocol ReportTable: Sendable {
    /// The columns that are read.
    associatedtype Column: ReportColumnName

    /// The name of the format; see ``SettlementReport/format``.
    static var format: String { get }
    /// The columns without which a file is not this report; the others are read where they are.
    static var requiredColumns: [Column] { get }

    /// Begins with the header.
    init(_ columns: ReportColumns<Column>)

    /// Reads a row that has as many fields as the header.
    ///
    /// - Throws: ``RowProblem``; the row is then counted as unusable.
    func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine
}
