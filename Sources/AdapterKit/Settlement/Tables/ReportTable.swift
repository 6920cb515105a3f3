/// One PSP's table: which columns it has, and what a row says.
public protocol ReportTable: Sendable {
    /// The name of the format; see ``SettlementReport/format``.
    static var format: String { get }

    /// Finds its columns in the header, every one that it reads.
    init(_ header: ReportHeader)

    /// Reads a row that has as many fields as the header.
    ///
    /// - Throws: ``RowProblem``; the row is then counted as unusable.
    func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine
}
