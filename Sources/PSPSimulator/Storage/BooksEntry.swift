/// One line of a books file.
package enum BooksEntry: Hashable, Sendable {
    /// The first line: which books these are.
    case opening(instance: String)
    /// A request that reached the books.
    case submission(Submission)
    /// A buyer's answer.
    case answer(ActionAnswer)
    /// What somebody did without the API.
    case action(DashboardAction)
}
