/// What a bank reports.
package enum BankReportKind: String, Hashable, Sendable, CaseIterable {
    /// The booked entries of a closed period: camt.053, MT940, and a table of booked entries.
    case statement
    /// What happened so far, to be repeated by a statement: camt.052, MT942.
    case report
    /// Single entries with their details, to be repeated by a statement: camt.054.
    case notification
}
