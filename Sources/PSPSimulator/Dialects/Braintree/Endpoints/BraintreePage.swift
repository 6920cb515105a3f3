import StrictJSON

/// Which part of a search's result is asked for (graphql guides, "Connections and Pagination").
struct BraintreePage {
    /// How many are answered unless fewer are asked for.
    static let standard: Int64 = 50

    private let first: Int64
    private let after: String?

    /// Reads `first` and `after`.
    ///
    /// - Throws: ``Refusal`` if `first` is not positive.
    init(_ arguments: JSON) throws(Refusal) {
        first = min(arguments["first"]?.integerValue ?? Self.standard, Self.standard)
        after = arguments["after"]?.stringValue
        guard first > 0 else {
            throw BraintreeFault(
                errorClass: "VALIDATION",
                inputPath: "first",
                message: "first must be greater than zero."
            ).refusal
        }
    }

    /// The page of objects that have an `id`.
    func connection(_ nodes: [JSON], of kind: String) -> JSON {
        let start = nodes.firstIndex { Self.cursor($0) == after }.map { $0 + 1 } ?? 0
        let page = nodes[start...].prefix(Int(first))
        return [
            "__typename": .string("\(kind)Connection"),
            "edges": .array(
                page.map { node in
                    [
                        "__typename": .string("\(kind)ConnectionEdge"), "cursor": .optional(Self.cursor(node)),
                        "node": node,
                    ]
                }
            ),
            "pageInfo": [
                "__typename": "PageInfo", "hasNextPage": .bool(page.endIndex < nodes.endIndex),
                "hasPreviousPage": false, "startCursor": .optional(page.first.flatMap(Self.cursor)),
                "endCursor": .optional(page.last.flatMap(Self.cursor)),
            ],
        ]
    }

    private static func cursor(_ node: JSON) -> String? {
        node["id"]?.stringValue.map { Base64.encode(Array($0.utf8)) }
    }
}
