import StrictJSON

/// A part of a list: a range of time, an order, a place to begin and a number.
struct SquarePage: Sendable {
    /// Something that a list may show.
    struct Entry: Sendable {
        /// Square's name for it.
        var name: String
        /// In milliseconds since 1970.
        var createdAt: Int64
        /// In milliseconds since 1970.
        var updatedAt: Int64
        /// Where it is in the books.
        var id: String
    }

    private static let year: Int64 = 365 * 86_400_000
    private let begin: Int64?
    private let end: Int64?
    private let updatedBegin: Int64?
    private let updatedEnd: Int64?
    private let isAscending: Bool
    private let isByUpdate: Bool
    private let limit: Int
    private let cursor: String?

    /// The parameters that every list has.
    static let parameters: Set<String> = [
        "begin_time", "end_time", "updated_at_begin_time", "updated_at_end_time", "sort_order", "sort_field", "cursor",
        "limit",
    ]

    /// Reads the query.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the parameters of this list beside the usual ones.
    ///   - usual: the usual ones.
    /// - Throws: ``Refusal``.
    init(
        _ request: PSPRequest,
        knowing known: Set<String>,
        usual: Set<String> = Self.parameters
    ) throws(Refusal) {
        for (name, _) in request.query where !known.contains(name) && !usual.contains(name) {
            throw SquareError.refusal(
                "UNKNOWN_QUERY_PARAMETER",
                field: String(name.prefix(60)),
                "The query parameter is not known."
            )
        }
        begin = try Self.time("begin_time", request)
        end = try Self.time("end_time", request)
        updatedBegin = try Self.time("updated_at_begin_time", request)
        updatedEnd = try Self.time("updated_at_end_time", request)
        if let begin, let end, begin > end {
            throw SquareError.refusal("INVALID_TIME_RANGE", field: "end_time", "The range ends before it begins.")
        }
        let order = request.query("sort_order") ?? "DESC"
        guard ["ASC", "DESC"].contains(order) else {
            throw SquareError.refusal("INVALID_SORT_ORDER", field: "sort_order", "Must be ASC or DESC.")
        }
        isAscending = order == "ASC"
        let field = request.query("sort_field") ?? "CREATED_AT"
        guard ["CREATED_AT", "UPDATED_AT"].contains(field) else {
            throw SquareError.refusal("INVALID_ENUM_VALUE", field: "sort_field", "The sort field is not valid.")
        }
        isByUpdate = field == "UPDATED_AT"
        limit = try Self.limit(request)
        cursor = request.query("cursor").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The part of the list, and where the next one begins.
    ///
    /// - Throws: ``Refusal`` if the cursor is not of this list.
    func part(of entries: [Entry], at now: Int64) throws(Refusal) -> (entries: [Entry], cursor: String?) {
        let earliest = begin ?? (updatedBegin == nil ? now - Self.year : 0)
        let meant = entries.filter { entry in
            entry.createdAt >= earliest && entry.createdAt <= end ?? .max && entry.updatedAt >= updatedBegin ?? .min
                && entry.updatedAt <= updatedEnd ?? .max
        }
        let ordered = meant.enumerated().sorted { left, right in
            let times =
                isByUpdate
                ? (left.element.updatedAt, right.element.updatedAt)
                : (left.element.createdAt, right.element.createdAt)
            return (times.0, left.offset) < (times.1, right.offset)
        }.map(\.element)
        var rest = (isAscending ? ordered : ordered.reversed())[...]
        if let cursor {
            guard let index = rest.firstIndex(where: { $0.name == cursor }) else {
                throw SquareError.refusal("INVALID_CURSOR", field: "cursor", "The pagination cursor is not valid.")
            }
            rest = rest[(index + 1)...]
        }
        let part = Array(rest.prefix(limit))
        return (part, rest.count > limit ? part.last?.name : nil)
    }

    /// A list as it is answered: without what would be empty.
    static func reply(_ name: String, _ found: [JSON], cursor: String?) -> PSPReply {
        PSPReply(
            200,
            .object(omittingAbsent: [name: found.isEmpty ? .none : .array(found), "cursor": cursor.map(JSON.string)])
        )
    }

    private static func time(_ name: String, _ request: PSPRequest) throws(Refusal) -> Int64? {
        guard let text = request.query(name) else { return nil }
        guard let time = SquareTime.milliseconds(text) else {
            throw SquareError.refusal("INVALID_TIME", field: name, "The time is not in RFC 3339 format.")
        }
        return time
    }

    /// The default is 100; a greater value is ignored.
    private static func limit(_ request: PSPRequest) throws(Refusal) -> Int {
        guard let text = request.query("limit") else { return 100 }
        guard let limit = Int(text) else {
            throw SquareError.refusal("EXPECTED_INTEGER", field: "limit", "Expected an integer value.")
        }
        guard limit >= 1 else { throw SquareError.refusal("VALUE_TOO_LOW", field: "limit", "Must be at least 1.") }
        return min(limit, 100)
    }
}
