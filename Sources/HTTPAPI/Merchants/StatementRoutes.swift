import Domain
import Gateway
import HTTPTypes
import Hummingbird
import SQL
import Storage
import StrictJSON

/// `/v1/merchants/{id}/statement`.
struct StatementRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/merchants/{id}/statement") { request, context in try await show(request, context) }
    }

    /// A merchant's statement; a merchant's own key sees its own only.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.requireStatements()
        let parameters = try StatementParameters(of: request, at: gateway.clock.now())
        let name = context.pathParameter("id")
        let (merchant, statement, lines) = try await gateway.database.read { session in
            let merchant = try MerchantRoutes.merchant(name, visibleTo: principal, in: session)
            let scope = parameters.scope(of: merchant)
            let statement = try StatementTable.statement(scope, in: session)
            guard let page = parameters.page else { return (merchant, statement, [StatementLine]()) }
            let place = try Self.place(page, in: scope, session)
            let lines = try StatementTable.lines(scope, after: place, limit: page.limit + 1, in: session)
            return (merchant, statement, lines)
        }
        guard let page = parameters.page else { return csv(statement) }
        let data = lines.prefix(page.limit).map(StatementPresenter.json)
        let listed = Page.json(data, hasMore: lines.count > page.limit)
        return .json(StatementPresenter.json(statement, of: merchant, lines: listed))
    }

    private static func place(
        _ page: Page,
        in scope: StatementScope,
        _ session: any Session
    ) throws -> StatementLine.Place? {
        guard let cursor = page.startingAfter else { return nil }
        guard let entry = EntryID(cursor), let place = try StatementTable.place(of: entry, in: scope, session) else {
            throw Query.refusal("starting_after", "the entry of a line")
        }
        return place
    }

    /// All lines, page by page as they are read.
    private func csv(_ statement: Statement) -> Response {
        let database = gateway.database
        let scope = statement.scope
        let name = "statement-\(scope.merchant)-\(scope.currency)-\(scope.from.description.prefix(10)).csv"
        var headers: HTTPFields = [.contentType: StatementParameters.csv]
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                var pages = StatementPages(statement)
                try await writer.write(ByteBuffer(string: StatementCSV.head(statement)))
                while let lines = try await pages.next(in: database) {
                    try await writer.write(ByteBuffer(string: StatementCSV.text(lines, in: scope.currency)))
                }
                try await writer.write(ByteBuffer(string: StatementCSV.foot(statement, closing: pages.balance)))
                try await writer.finish(nil)
            }
        )
    }
}

/// The lines of a statement, page by page, each page read by itself.
struct StatementPages: Sendable {
    /// How many lines are taken into memory at once.
    private static let size = 500

    private let scope: StatementScope
    private var place: StatementLine.Place?
    private var isAtEnd = false
    /// What is owed to the merchant behind the lines read so far.
    private(set) var balance: Int64

    /// Begins in front of the first line.
    init(_ statement: Statement) {
        scope = statement.scope
        balance = statement.opening
    }

    /// The next lines; nil behind the last.
    ///
    /// - Throws: `StatementMismatch` if the lines do not come to the closing balance that stood there as the last of
    ///   them was read, so that no statement ends that is not whole; `SQLError`.
    mutating func next(in database: any Database) async throws -> [StatementLine]? {
        guard !isAtEnd else { return nil }
        let (scope, place) = (scope, place)
        let (lines, closing) = try await database.read { session in
            let lines = try StatementTable.lines(scope, after: place, limit: Self.size, in: session)
            let isLast = lines.count < Self.size
            return (lines, isLast ? try StatementTable.closing(scope, in: session) : nil)
        }
        let opening = balance
        let net = lines.reduce(0) { $0 + $1.amounts.net }
        if let closing {
            isAtEnd = true
            try StatementMismatch.check(opening: opening, net: net, closing: closing)
        }
        self.place = lines.last?.place ?? place
        balance = opening + net
        return lines
    }
}

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
