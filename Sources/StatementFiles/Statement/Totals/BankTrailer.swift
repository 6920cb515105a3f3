/// What is known of a bank's file once all of it is read: its control totals.
package struct BankTrailer: Hashable, Sendable {
    /// How many unusable entries are kept one by one.
    package static let unusableLimit = 1000

    /// How many statements there are; at least 1.
    package let statements: Int
    /// How many entries there are, usable or not.
    package let rows: Int
    /// How many of them could not be read.
    package let unusableCount: Int
    /// The first of those, at most ``unusableLimit``.
    package let unusable: [UnusableEntry]
    /// The sums of the booked entries, in the order of the currencies' codes.
    package let booked: [BankSum]
    /// The sums of all other entries.
    package let unbooked: [BankSum]
    /// How many figures the file states that its entries do not come to.
    package let disagreementCount: Int
    /// The dates that were read as a month's last day, since the calendar has none such.
    package let monthEnds: MonthEndDates
    /// Whether a table's last row has no line end.
    ///
    /// A file that was cut off inside its last field looks the same.
    package let lacksFinalLineEnd: Bool

    /// Makes a trailer.
    package init(
        statements: Int,
        rows: Int,
        unusableCount: Int,
        unusable: [UnusableEntry],
        booked: [BankSum],
        unbooked: [BankSum],
        disagreementCount: Int,
        monthEnds: MonthEndDates = MonthEndDates(),
        lacksFinalLineEnd: Bool
    ) {
        self.statements = statements
        self.rows = rows
        self.unusableCount = unusableCount
        self.unusable = unusable
        self.booked = booked
        self.unbooked = unbooked
        self.disagreementCount = disagreementCount
        self.monthEnds = monthEnds
        self.lacksFinalLineEnd = lacksFinalLineEnd
    }
}
