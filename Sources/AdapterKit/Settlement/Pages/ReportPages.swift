/// One PSP's pages: what the entries of each say.
public protocol ReportPages: Sendable {
    /// The name of the format; see ``SettlementReport/format``.
    static var format: String { get }
    /// The member that holds a page's entries.
    static var entriesMember: String { get }

    /// Whether the last page that was read is the last that there is, as far as the pages tell.
    var isComplete: Bool { get }

    /// Begins before the first page.
    init()

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: a JSON object, unparsed.
    ///   - number: which page it is, the first being 1.
    ///   - firstRow: the row of its first entry.
    /// - Returns: one result for each entry, in their order.
    /// - Throws: ``SettlementProblem/malformedPage(_:)`` or ``SettlementProblem/errorPage(_:)``.
    mutating func entries(
        of page: [UInt8],
        number: Int,
        firstRow: Int
    ) throws(SettlementProblem) -> [Result<SettlementLine, RowProblem>]
}
