import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// What is done about endpoints of callbacks, by operators and by the merchant whose endpoint it is.
struct EndpointActRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody
    let ports: OperatorPorts
    let log: ActLog

    func add(to router: Router<APIContext>) {
        router.post("/v1/callback-endpoints/{id}") { request, context in try await move(request, context) }
        router.post("/v1/callback-endpoints/{id}/enable") { request, context in try await enable(request, context) }
        router.post("/v1/callback-endpoints/{id}/test") { request, context in try await test(request, context) }
        router.post("/v1/callback-endpoints/{id}/replay") { request, context in try await replay(request, context) }
        router.post("/v1/callback-endpoints/{id}/rotate") { request, context in try await rotate(request, context) }
        router.post("/v1/callbacks/{id}/replay") { request, context in try await replayOne(request, context) }
    }

    /// Sends what an endpoint is told to another address.
    private func move(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let url = try Problem.reading { () throws(InvalidDocument) in try ActReader.address(json) }
        if let refusal = ports.refusal(url) {
            throw Problem.invalid([Violation(pointer: "/url", code: "address_refused", detail: "\(refusal).")])
        }
        let endpoint = try await endpoint(context, of: principal)
        let moved = try await Endpoints(gateway.database, by: principal.actor)
            .move(endpoint.id, of: principal.marketplace, to: url, at: gateway.clock.now())
        guard moved != nil else { throw Problem.notFound }
        log.note(.moveEndpoint, endpoint.id.text, by: principal)
        return try await show(endpoint.id, to: principal)
    }

    /// Delivers to an endpoint again, as if nothing had failed there.
    private func enable(_ request: Request, _ context: APIContext) async throws -> Response {
        let (principal, endpoint) = try await open(request, context)
        _ = try await Problem.acting {
            try await Endpoints(gateway.database, by: principal.actor).enable(
                EndpointName(endpoint.id.text),
                of: MarketplaceChoice(principal.marketplace),
                at: gateway.clock.now()
            )
        }
        log.note(.enableEndpoint, endpoint.id.text, by: principal)
        return try await show(endpoint.id, to: principal)
    }

    /// Sends an endpoint `endpoint.test` and says what came of it.
    private func test(_ request: Request, _ context: APIContext) async throws -> Response {
        let (_, endpoint) = try await open(request, context)
        let result = await ports.test(endpoint, gateway.clock.now())
        let isTaken = result.status.map { (200..<300).contains($0) } ?? false
        return .json([
            "endpoint": .string(endpoint.id.text), "callback": .string(result.callback.text),
            "taken": .bool(isTaken), "status": .optional(result.status.map { Int64($0) }),
            "error": .optional(result.error),
        ])
    }

    /// Delivers what an endpoint was told again, under the same identifiers: dead letters, or all that the body says.
    private func replay(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads([.operator])
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        let range = try Problem.reading { () throws(InvalidDocument) in try ActReader.replay(json) }
        let endpoint = try await endpoint(context, of: principal, for: own)
        var filter = CallbackTable.Filter(marketplace: principal.marketplace)
        filter.endpoint = endpoint.id
        filter.state = range.state
        filter.type = range.type
        filter.order = range.order
        filter.from = range.from
        filter.until = range.to
        let count = try await CallbackReplay(gateway.database, by: principal.actor)
            .replay(filter, at: gateway.clock.now())
        log.note(.replayCallbacks, endpoint.id.text, by: principal)
        return .json(["endpoint": .string(endpoint.id.text), "replayed": .integer(Int64(count))])
    }

    /// Gives an endpoint a new secret, which is shown once; the one before signs beside it for a while.
    private func rotate(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads([.operator])
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        let overlap = try Problem.reading { () throws(InvalidDocument) in try ActReader.overlap(json) }
        let endpoint = try await endpoint(context, of: principal, for: own)
        let now = gateway.clock.now()
        let until = now.adding(milliseconds: overlap)
        let secret = try await Problem.acting {
            let made = try ports.secrets(endpoint.id)
            _ = try await Endpoints(gateway.database, by: principal.actor).rotateSecret(
                of: EndpointName(endpoint.id.text),
                of: MarketplaceChoice(principal.marketplace),
                until: until,
                at: now
            ) { _ in made.kept }
            return made.secret
        }
        log.note(.rotateEndpoint, endpoint.id.text, by: principal)
        return .json([
            "endpoint": .string(endpoint.id.text), "secret": .string(secret.reveal()),
            "previous_until": .string(until.description),
        ])
    }

    /// Delivers one callback again.
    private func replayOne(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads([.operator])
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        guard let id = context.pathParameter("id").flatMap({ CallbackID($0) }) else { throw Problem.notFound }
        let known = try await gateway.database.read { session in try CallbackTable.find(id, in: session) }
        guard let known, known.content.marketplace == principal.marketplace, own == nil || known.content.merchant == own
        else { throw Problem.notFound }
        _ = try await Problem.acting {
            try await CallbackReplay(gateway.database, by: principal.actor).replay([id], at: gateway.clock.now())
        }
        log.note(.replayCallbacks, id.text, by: principal)
        let now = try await gateway.database.read { session in try CallbackTable.find(id, in: session) }
        return .json(DeliveryPresenter.json(now ?? known).told(to: principal))
    }

    /// Who asks for something that needs no body, and the endpoint that it is about.
    private func open(
        _ request: Request,
        _ context: APIContext
    ) async throws -> (principal: Principal, endpoint: CallbackEndpoint) {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads([.operator])
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        return (principal, try await endpoint(context, of: principal, for: own))
    }

    private func endpoint(
        _ context: APIContext,
        of principal: Principal,
        for own: MerchantID? = nil
    ) async throws -> CallbackEndpoint {
        guard let id = context.pathParameter("id").flatMap({ EndpointID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session in try CallbackEndpointTable.find(id, in: session) }
        guard let found, found.marketplace == principal.marketplace, own == nil || found.merchant == own else {
            throw Problem.notFound
        }
        return found
    }

    private func show(_ id: EndpointID, to principal: Principal) async throws -> Response {
        let found = try await gateway.database.read { session -> JSON? in
            guard let endpoint = try CallbackEndpointTable.find(id, in: session) else { return nil }
            let names = try Endpoints.merchantNames(of: [endpoint], in: session)
            let counts = try CallbackStatistics.counts(of: endpoint.marketplace, in: session)
            return DeliveryPresenter.json(
                endpoint,
                name: endpoint.merchant.flatMap { names[$0] },
                counts: counts[endpoint.id]
            )
        }
        guard let found else { throw Problem.notFound }
        return .json(found.told(to: principal))
    }
}
