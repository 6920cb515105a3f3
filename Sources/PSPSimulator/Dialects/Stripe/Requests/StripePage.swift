import StrictJSON

/// A part of a list, by `limit` and `starting_after`.
struct StripePage: Sendable {
    private let limit: Int
    private let startingAfter: String?

    /// Reads the query.
    ///
    /// - Throws: ``Refusal`` if the limit is not 1 to 100.
    init(_ request: PSPRequest) throws(Refusal) {
        let text = request.query("limit") ?? "10"
        guard let limit = Int(text), 1...100 ~= limit else {
            throw Refusal(400, "parameter_invalid_integer", "Invalid integer: limit")
        }
        self.limit = limit
        startingAfter = request.query("starting_after")
    }

    /// The part of what was found.
    func reply(_ found: [JSON], at path: String) -> PSPReply {
        var rest = found[...]
        if let startingAfter {
            rest = rest.drop { $0["id"]?.stringValue != startingAfter }.dropFirst()
        }
        return PSPReply(
            200,
            StripeDocument.list(Array(rest.prefix(limit)), at: path, hasMore: rest.count > limit)
        )
    }
}
