import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// The lists of endpoints, of callbacks, and of what PSPs told by webhook.
struct DeliveryListRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/callback-endpoints") { request, context in try await endpoints(request, context) }
        router.get("/v1/callbacks") { request, context in try await callbacks(request, context) }
        router.get("/v1/callbacks/{id}") { request, context in try await callback(request, context) }
        router.get("/v1/psp-webhooks") { request, context in try await webhooks(request, context) }
        router.get("/v1/psp-webhooks/{id}") { request, context in try await webhook(request, context) }
    }

    /// Endpoints, the marketplace's own first; a merchant's own key sees its own.
    private func endpoints(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(of: request, allowing: ["status", "merchant"], moments: false)
        let page = query.page
        let cursor = try page.startingAfter.map { text throws(Problem) in
            guard let id = EndpointID(text) else { throw Self.unknownEndpoint }
            return id
        }
        let state = try query.word("status", CallbackEndpoint.State.self)
        let (shown, next) = try await gateway.database.read { session in
            let merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            let all = try CallbackEndpointTable.all(of: principal.marketplace, in: session).filter { endpoint in
                merchant == nil || endpoint.merchant == merchant
            }
            var start = 0
            if let cursor {
                // Looked for among all: one whose status has changed since the page before is still a place.
                guard let place = all.firstIndex(where: { $0.id == cursor }) else { throw Self.unknownEndpoint }
                start = place + 1
            }
            let rest = all[start...].filter { state == nil || $0.state == state }
            let endpoints = Array(rest.prefix(page.limit))
            let names = try Endpoints.merchantNames(of: endpoints, in: session)
            let counts = try CallbackStatistics.counts(of: principal.marketplace, in: session)
            let data = endpoints.map { endpoint in
                DeliveryPresenter.json(
                    endpoint,
                    name: endpoint.merchant.flatMap { names[$0] },
                    counts: counts[endpoint.id]
                )
            }
            return (data, rest.count > page.limit ? endpoints.last?.id.text : nil)
        }
        return .json(Page.json(shown, next: next).told(to: principal))
    }

    private static let unknownEndpoint = Query.refusal("starting_after", "the id of an endpoint")

    /// Callbacks, newest first; a merchant's own key sees those for its own endpoint.
    private func callbacks(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "type", "endpoint", "merchant", "order", "payment"]
        )
        var wanted = CallbackTable.Filter(marketplace: principal.marketplace)
        wanted.state = try query.word("status", StoredCallback.State.self)
        wanted.type = try query.text("type", by: .reference)
        wanted.order = try query.identifier("order", "an order", OrderID.self)
        wanted.payment = try query.identifier("payment", "a payment", PaymentID.self)
        wanted.endpoint = try query.identifier("endpoint", "an endpoint", EndpointID.self)
        wanted.from = query.created.from
        wanted.until = query.created.to.map { Timestamp(microseconds: $0.microseconds + 1) }
        wanted.before = try query.cursor("a callback", CallbackID.self)
        let found = try await gateway.database.read { [wanted] session -> ([StoredCallback], CallbackID?) in
            var filter = wanted
            if let merchant = try query.merchant(for: own, of: principal.marketplace, in: session) {
                let endpoint = try CallbackEndpointTable.find(
                    of: principal.marketplace,
                    merchant: merchant,
                    in: session
                )
                guard let endpoint, filter.endpoint.map({ $0 == endpoint.id }) ?? true else { return ([], nil) }
                filter.endpoint = endpoint.id
            }
            let page = try CallbackTable.page(filter, limit: query.page.limit, in: session)
            return (page.callbacks, page.next)
        }
        return .json(Page.json(found.0.map { DeliveryPresenter.json($0) }, next: found.1?.text).told(to: principal))
    }

    private func callback(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ CallbackID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session in try CallbackTable.find(id, in: session) }
        guard let found, found.content.marketplace == principal.marketplace,
            own == nil || found.content.merchant == own
        else { throw Problem.notFound }
        return .json(DeliveryPresenter.jsonWithBody(found).told(to: principal))
    }

    /// What PSPs told, newest first.
    private func webhooks(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.insiders)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "type", "psp", "psp_account", "order", "psp_reference"]
        )
        var filter = WebhookTable.Filter(marketplace: principal.marketplace)
        filter.state = try query.word("status", WebhookEntry.State.self)
        filter.type = try query.text("type", by: .reference)
        filter.psp = try query.text("psp", by: .slug)
        filter.account = try query.text("psp_account", by: .slug)
        filter.order = try query.identifier("order", "an order", OrderID.self)
        filter.event = try query.text("psp_reference", by: .reference)
        filter.created = query.created
        filter.before = try query.cursor("a webhook", WebhookID.self)
        let found = try await gateway.database.read { [filter] session in
            try WebhookTable.page(filter, limit: query.page.limit, in: session)
        }
        return .json(Page.json(found.entries.map(DeliveryPresenter.json), next: found.next?.text).told(to: principal))
    }

    private func webhook(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.insiders)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ WebhookID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session in try WebhookTable.find(id, in: session) }
        guard let found, found.marketplace == principal.marketplace else { throw Problem.notFound }
        return .json(DeliveryPresenter.json(found).told(to: principal))
    }
}
