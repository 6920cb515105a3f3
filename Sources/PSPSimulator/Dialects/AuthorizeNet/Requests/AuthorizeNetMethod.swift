/// What a request to Authorize.Net calls: the name of its only member, without `Request`.
enum AuthorizeNetMethod: String, Hashable, Sendable, CaseIterable {
    case authenticateTest
    case createTransaction
    case getTransactionDetails
    case getUnsettledTransactionList
    case getSettledBatchList
    case getTransactionList

    /// The member's name.
    var element: String { rawValue + "Request" }
}
