/// What is known of a report once all of it is read: its control totals.
public struct SettlementTrailer: Hashable, Sendable {
    /// How many unusable rows are kept one by one.
    public static let unusableLimit = 1000

    /// The line that only the end of the file completed, if there is one.
    public let lines: [SettlementLine]
    /// How many rows there are beside the header and blank ones, usable or not.
    public let rows: Int
    /// How many of them could not be read.
    public let unusableCount: Int
    /// The first of those, at most ``unusableLimit``.
    public let unusable: [UnusableRow]
    /// The sums of all lines, in the order of the currencies' codes.
    public let sums: [SettlementSum]
    /// Whether a table's last row has no line end.
    ///
    /// A file that was cut off inside its last field looks the same.
    public let lacksFinalLineEnd: Bool
}
