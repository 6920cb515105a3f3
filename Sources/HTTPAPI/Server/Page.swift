import StrictJSON

/// Cursor pagination: `?limit=&starting_after=` → `{data, has_more}`.
struct Page {
    /// How many items a page holds if the request does not say.
    private static let usualLimit = 20
    /// How many it may hold.
    private static let greatestLimit = 100

    /// How many items to answer.
    let limit: Int
    /// The item behind which to begin.
    let startingAfter: String?

    /// The parameters of every list.
    static let parameters: Set<String> = ["limit", "starting_after"]

    /// Reads the query.
    ///
    /// - Throws: a 422 ``Problem`` for a limit that is no number from 1 to 100.
    init(_ query: Query) throws(Problem) {
        startingAfter = query["starting_after"]
        guard let text = query["limit"] else {
            limit = Self.usualLimit
            return
        }
        guard let limit = Int(text), (1...Self.greatestLimit).contains(limit) else {
            throw Query.refusal("limit", "a number from 1 to \(Self.greatestLimit)")
        }
        self.limit = limit
    }

    /// The answer's document.
    static func json(_ data: [JSON], hasMore: Bool) -> JSON { ["data": .array(data), "has_more": .bool(hasMore)] }
}
