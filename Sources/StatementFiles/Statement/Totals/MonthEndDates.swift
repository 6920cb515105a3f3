/// Dates of a file that no calendar has, 30 February and its like, which were read as the month's last day.
package struct MonthEndDates: Hashable, Sendable {
    /// How many there are.
    package private(set) var count = 0
    /// The line of the first; nil if there is none.
    package private(set) var firstLine: Int?

    /// None yet.
    package init() {}

    /// Counts some in a line.
    mutating func add(_ number: Int, line: Int) {
        guard number > 0 else { return }
        count += number
        firstLine = firstLine ?? line
    }
}
