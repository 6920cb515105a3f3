import StrictJSON

/// The part of a list that a request asks for, and its order.
struct AuthorizeNetPage: Hashable, Sendable {
    /// How many transactions a page has, 1 to 1000.
    private let limit: Int
    /// Which page, from 1.
    private let number: Int
    private let isByNumber: Bool
    private let isDescending: Bool

    /// Reads `sorting` and `paging`; without them it is the newest 1000.
    init(_ request: JSON) {
        limit = request["paging"]?.filled("limit").flatMap { Int($0) } ?? 1000
        number = request["paging"]?.filled("offset").flatMap { Int($0) } ?? 1
        isByNumber = request["sorting"]?.filled("orderBy") == "id"
        isDescending = request["sorting"].map { $0.isTrue("orderDescending") } ?? true
    }

    /// The part of the transactions.
    func part(of transactions: [AuthorizeNetTransaction]) -> [AuthorizeNetTransaction] {
        let ascending = transactions.sorted { first, second in
            isByNumber || first.submittedAt == second.submittedAt
                ? (first.transId.utf8.count, first.transId) < (second.transId.utf8.count, second.transId)
                : first.submittedAt < second.submittedAt
        }
        let sorted = isDescending ? ascending.reversed() : ascending
        return Array(sorted.dropFirst(limit * (number - 1)).prefix(limit))
    }
}
