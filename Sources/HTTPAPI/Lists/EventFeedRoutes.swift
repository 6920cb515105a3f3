import Domain
import Gateway
import Hummingbird
import StrictJSON

/// `/v1/events`.
struct EventFeedRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/events") { request, context in try await list(request, context) }
    }

    /// What callbacks tell, oldest first: to a merchant's own key what the merchant is told, else what the marketplace is.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        let query = try Query(of: request, allowing: ["after", "limit"])
        let page = try Page(query)
        let after = try query["after"].map { text throws(Problem) in
            guard let id = CallbackID(text) else { throw Self.unknown }
            return id
        }
        let feed = EventFeed(
            database: gateway.database,
            clock: gateway.clock,
            presentation: OrderPresenter.presentation
        )
        let found = try await feed.page(
            of: principal.marketplace,
            toldTo: own,
            after: after,
            limit: page.limit
        )
        guard let found else { throw Self.unknown }
        let data = found.events.map { event in
            JSON.object(
                [.init("id", .string(event.id.text))] + (event.body.objectValue ?? [])
                    + [.init("as_it_was", .bool(event.isAsItWas))]
            )
        }
        return .json(Page.json(data, next: found.next?.text))
    }

    private static let unknown = Query.refusal("after", "the id of an event of the last 30 days")
}
