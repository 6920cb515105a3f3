/// An entry that is reported instead of read.
package struct UnusableEntry: Hashable, Sendable {
    /// The line it begins in; in a table the row.
    package let line: Int
    /// Why it is no entry.
    package let problem: EntryProblem

    /// Makes an unusable entry.
    package init(line: Int, problem: EntryProblem) {
        self.line = line
        self.problem = problem
    }
}
