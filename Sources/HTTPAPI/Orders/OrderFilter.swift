import Domain
import Storage

/// Reads the query of `GET /v1/orders`.
enum OrderFilter {
    /// The parameters of the list.
    static let parameters = Page.parameters.union(["created_after", "reference", "status"])

    /// The filter that the query describes.
    ///
    /// - Throws: a 422 ``Problem`` that names the parameter.
    static func read(_ query: Query, _ page: Page, of marketplace: String) throws(Problem) -> OrderSearch.Filter {
        var filter = OrderSearch.Filter(marketplace: marketplace)
        if let reference = query["reference"] {
            filter.reference = try Query.check(reference, of: "reference", by: .reference)
        }
        if let text = query["status"] {
            guard let status = OrderStatus(rawValue: text) else {
                throw Query.refusal("status", OrderStatus.allCases.map(\.rawValue).joined(separator: ", "))
            }
            filter.status = status
        }
        if let text = query["created_after"] {
            guard let moment = RFC3339.timestamp(text, .strict) else {
                throw Query.refusal("created_after", "an RFC 3339 time")
            }
            filter.createdAfter = moment
        }
        if let text = page.startingAfter {
            guard let id = OrderID(text) else { throw Query.refusal("starting_after", "the id of an order") }
            filter.before = id
        }
        return filter
    }
}
