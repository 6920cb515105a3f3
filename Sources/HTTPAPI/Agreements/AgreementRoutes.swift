import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Keyring
import SQL
import Storage
import StrictJSON

/// `/v1/agreements`: what buyers let merchants charge while they are away.
struct AgreementRoutes: Sendable {
    let gateway: Gateway
    let fingerprints: Fingerprints
    let authenticator: Authenticator
    let body: RequestBody
    /// Puts tokens of orders in Wallet into answers.
    let tokens: OrderTokens

    func add(to router: Router<APIContext>) {
        router.post("/v1/agreements") { request, context in try await create(request, context) }
        router.get("/v1/agreements") { request, context in try await list(request, context) }
        router.get("/v1/agreements/{id}") { request, context in try await show(request, context) }
        router.post("/v1/agreements/{id}/end") { request, context in try await end(request, context) }
        router.post("/v1/agreements/{id}/charges") { request, context in try await charge(request, context) }
    }

    /// Needs no key: it moves nothing, and one that nobody pays under does nothing.
    private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let draft = try Problem.reading { () throws(InvalidDocument) in try AgreementReader.draft(json) }
        guard let made = try await gateway.agreements.create(draft, of: principal.marketplace) else {
            throw Problem.invalid([
                Violation(
                    pointer: "/external_identifier",
                    code: "unknown_merchant",
                    detail: "The marketplace has no merchant with this external identifier."
                )
            ])
        }
        return .json(
            AgreementPresenter.json(made).told(to: principal).bytes,
            status: .created,
            headers: [("Location", "/v1/agreements/\(made.id)")]
        )
    }

    /// Agreements, newest first; a merchant's own key sees its own.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        let query = try ListQuery(of: request, allowing: ["state", "merchant", "reference"])
        var wanted = AgreementTable.Filter(marketplace: principal.marketplace)
        wanted.state = try query.word("state", Agreement.State.self)
        // The marketplace's own names are nobody else's business.
        wanted.reference = try own == nil ? query.text("reference", by: .reference) : nil
        wanted.created = query.created
        wanted.before = try query.cursor("an agreement", AgreementID.self)
        let limit = query.page.limit
        let found = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            return try AgreementTable.list(filter, limit: limit + 1, in: session)
        }
        let shown = found.prefix(limit)
        let data = shown.map { AgreementPresenter.json($0, isForMerchant: own != nil) }
        let next = found.count > limit ? shown.last?.id.text : nil
        return .json(Page.json(data, next: next).told(to: principal))
    }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ AgreementID($0) }),
            let found = try await gateway.agreements.find(id, of: principal.marketplace),
            own.map({ $0 == found.agreement.merchant }) ?? true
        else { throw Problem.notFound }
        let document =
            own == nil
            ? AgreementPresenter.json(found) : AgreementPresenter.json(found.agreement, isForMerchant: true)
        return .json(document.told(to: principal))
    }

    /// Needs no key: ended again, nothing changes.
    private func end(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        guard let id = context.pathParameter("id").flatMap({ AgreementID($0) }),
            let ended = try await gateway.agreements.end(id, of: principal.marketplace, by: principal.actor)
        else { throw Problem.notFound }
        return .json(AgreementPresenter.json(ended).told(to: principal))
    }

    private func charge(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await gateway.door.enter()
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .operator)
        let key = try IdempotencyKey.text(of: request)
        _ = try Query(of: request, allowing: [])
        visit.leave()
        let json = try await body.json(of: request)
        try await visit.reenter()
        defer { visit.leave() }
        let draft = try Problem.reading { () throws(InvalidDocument) in try AgreementReader.charge(json) }
        guard let id = context.pathParameter("id").flatMap({ AgreementID($0) }) else { throw Problem.notFound }
        let use = IdempotencyTable.Use(
            marketplace: principal.marketplace,
            scope: "POST /v1/agreements/\(id)/charges",
            key: key,
            bodyHash: fingerprints.hash(of: json.canonical.bytes)
        )
        let answer = try await gateway.charge(draft, under: id, under: use, by: principal.caller, on: visit)
        guard let answer else { throw Problem.notFound }
        context.madeOrder.note(answer.order)
        return .placed(answer, tokens)
    }
}
