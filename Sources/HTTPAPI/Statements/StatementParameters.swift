import Domain
import HTTPTypes
import Hummingbird

/// What is asked of a statement: the currency, the time, the form.
struct StatementParameters: Sendable {
    /// The media type of comma-separated values (RFC 4180, RFC 7111).
    static let csv = "text/csv"

    private static let names: Set<String> = ["currency", "from", "to", "format"]

    private let currency: Currency
    private let from: Timestamp
    private let to: Timestamp
    /// Which lines to answer; nil for all of them, as CSV.
    let page: Page?

    /// Reads the query and the `Accept` field; without a time, the month of `now` in UTC.
    ///
    /// - Throws: a 422 ``Problem``.
    init(of request: Request, at now: Timestamp) throws(Problem) {
        let query = try Query(of: request, allowing: Self.names.union(Page.parameters))
        guard let currency = query["currency"].flatMap({ Currency(code: $0) }) else {
            throw Query.refusal("currency", "an ISO 4217 code, such as USD")
        }
        let month = Self.month(of: now)
        from = try Self.moment("from", query) ?? month.lowerBound
        to = try Self.moment("to", query) ?? month.upperBound
        guard from < to else { throw Query.refusal("to", "later than from, which is \(from)") }
        self.currency = currency
        page = try Self.isCSV(query, request) ? nil : Page(query)
        if page == nil, let name = Page.parameters.sorted().first(where: { query[$0] != nil }) {
            throw Query.refusal(name, "left out with CSV, which has every line")
        }
    }

    /// The scope of a merchant's statement.
    func scope(of merchant: Merchant) -> StatementScope {
        guard
            let scope = StatementScope(
                marketplace: merchant.marketplace,
                merchant: merchant.id,
                currency: currency,
                from: from,
                to: to
            )
        else { preconditionFailure("the time was checked as it was read") }
        return scope
    }

    /// A moment, or midnight UTC of a date.
    private static func moment(_ name: String, _ query: Query) throws(Problem) -> Timestamp? {
        guard let text = query[name] else { return nil }
        guard let moment = RFC3339.timestamp(text, .strict) ?? RFC3339.timestamp(text + "T00:00:00Z", .strict) else {
            throw Query.refusal(name, "a date, or a time as RFC 3339 writes it")
        }
        return moment
    }

    /// The month in UTC that a moment is in.
    private static func month(of moment: Timestamp) -> Range<Timestamp> {
        func first(_ day: Timestamp) -> Timestamp {
            RFC3339.timestamp(day.description.prefix(7) + "-01T00:00:00Z", .strict) ?? day
        }
        let start = first(moment)
        return start..<first(start.adding(milliseconds: 32 * 86_400_000))
    }

    /// Whether CSV is asked for: by `format`, else by the first type of `Accept` that there is.
    private static func isCSV(_ query: Query, _ request: Request) throws(Problem) -> Bool {
        switch query["format"] {
        case "csv": return true
        case "json": return false
        case .some: throw Query.refusal("format", "json or csv")
        case .none: break
        }
        let types = (request.headers[.accept]?.boundedASCII ?? "").split(separator: ",").map { range in
            range.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
        return types.first { [csv, "text/*", "application/json", "application/*", "*/*"].contains($0) }
            .map { $0 == csv || $0 == "text/*" } ?? false
    }
}
