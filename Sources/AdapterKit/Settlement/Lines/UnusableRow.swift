/// A row that is reported instead of read.
public struct UnusableRow: Hashable, Sendable {
    /// Where it stands, counted as in ``SettlementLine/row``.
    public let row: Int
    /// Why it is no line.
    public let problem: RowProblem

    /// Makes a row.
    public init(row: Int, problem: RowProblem) {
        self.row = row
        self.problem = problem
    }
}
