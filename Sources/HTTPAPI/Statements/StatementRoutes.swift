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
