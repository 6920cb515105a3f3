/// A table whose header was read.
///
/// An object, so that its columns are not copied for every row.
final class OpenTable<Table: ReportTable>: Sendable {
    /// What reads the rows.
    let table: Table
    /// How many columns there are.
    let width: Int

    /// Reads a header.
    ///
    /// - Throws: ``SettlementProblem`` for a header that lacks or repeats columns, or is malformed.
    init(_ row: CSVRow) throws(SettlementProblem) {
        let header = try ReportHeader(row)
        table = Table(header)
        width = header.width
        if let problem = header.problem { throw problem }
    }
}
