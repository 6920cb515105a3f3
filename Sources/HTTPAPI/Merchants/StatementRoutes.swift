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
        let parameters = try StatementParameters(of: request)
        let name = context.pathParameter("id")
        let now = try await TestClocks(gateway).reading(of: principal.marketplace).time
        let parties = try await gateway.database.read { session in
            try StatementParties(named: name, visibleTo: principal, in: session)
        }
        let calendar = try await parameters.calendar(of: parties.merchant?.profile, parties.marketplace.profile)
        let time = try parameters.time(in: calendar, at: now)
        guard let merchant = parties.merchant else { throw Problem.notFound }
        let scope = parameters.scope(of: merchant, over: time)
        let limit = Self.limit(of: parameters)
        let (statement, lines) = try await gateway.database.read { session in
            let place = try Self.place(parameters.page, in: scope, session)
            let statement = try StatementTable.statement(scope, in: session)
            guard limit > 0 else { return (statement, [StatementLine]()) }
            return (statement, try StatementTable.lines(scope, after: place, limit: limit + 1, in: session))
        }
        let paper = StatementPaper(statement, of: merchant, from: parties.marketplace, in: calendar, madeAt: now)
        let file = PaperFile(name: paper.fileName, format: parameters.format)
        switch parameters.format {
        case .json:
            let data = lines.prefix(limit).map(StatementPresenter.json)
            let listed = Page.json(data, hasMore: lines.count > limit)
            let shown = StatementPresenter.json(statement, of: merchant, in: calendar, lines: listed)
            return .json(shown.told(to: principal))
        case .csv: return file.response(csv(statement, calendar))
        case .camt053:
            guard lines.count <= limit else { throw Self.tooLong(limit) }
            return file.response(StatementCamt.text(paper, lines).utf8)
        case .html, .pdf: return try file.response(paper.document(lines.count > limit ? nil : lines))
        }
    }

    /// How many lines a form takes into memory; zero for one that is written as it is read.
    private static func limit(of parameters: StatementParameters) -> Int {
        switch parameters.format {
        case .json: parameters.page.limit
        case .csv: 0
        case .camt053: StatementPaper.camtLimit
        case .html, .pdf: StatementPaper.printLimit
        }
    }

    private static func tooLong(_ limit: Int) -> Problem {
        Problem(
            status: .unprocessableContent,
            code: "statement_too_long",
            detail: "The time has more than \(limit) movements: ask for a shorter one, or for CSV."
        )
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
    private func csv(_ statement: Statement, _ calendar: LocalCalendar) -> ResponseBody {
        let database = gateway.database
        return ResponseBody { writer in
            var pages = StatementPages(statement)
            var csv = StatementCSV(statement, in: calendar)
            try await writer.write(ByteBuffer(string: csv.head))
            while let lines = try await pages.next(in: database) {
                try await writer.write(ByteBuffer(string: csv.rows(lines)))
            }
            try await writer.write(ByteBuffer(string: csv.foot(closing: pages.balance)))
            try await writer.finish(nil)
        }
    }
}

/// Whom a statement or an invoice is for and from.
struct StatementParties: Sendable {
    /// The merchant; nil if there is none that the key may see.
    let merchant: Merchant?
    /// The marketplace.
    let marketplace: MarketplaceTable.Marketplace

    /// Reads both.
    ///
    /// - Throws: a 422 ``Problem`` for what cannot be a merchant's name, or `SQLError`.
    init(named name: String?, visibleTo principal: Principal, in session: any Session) throws {
        do {
            merchant = try MerchantRoutes.merchant(name, visibleTo: principal, in: session)
        } catch let problem as Problem where problem.status == .notFound {
            merchant = nil
        }
        let rows = try session.rows(MarketplaceTable.named(principal.marketplace))
        guard let marketplace = try MarketplaceTable.read(rows).first else { throw Problem.notFound }
        self.marketplace = marketplace
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
