import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// What operators do about orders, payouts, breaks, merchants, PSP accounts and webhooks, by the use cases of the command line.
struct BookActRoutes: Sendable {
    let gateway: Gateway
    let requests: RequestRoutes
    let authenticator: Authenticator
    let body: RequestBody
    let log: ActLog

    func add(to router: Router<APIContext>) {
        router.post("/v1/orders/{id}/resolve") { request, context in try await resolve(request, context) }
        router.post("/v1/orders/{id}/retry") { request, context in try await retry(request, context) }
        router.post("/v1/payouts") { request, context in try await record(request, context) }
        router.post("/v1/payouts/{id}/fail") { request, context in try await fail(request, context) }
        router.post("/v1/breaks/{id}/resolve") { request, context in try await decide(request, context) }
        router.post("/v1/psp-accounts/{id}/pause") { request, context in
            try await setStatus(.paused, request, context)
        }
        router.post("/v1/psp-accounts/{id}/resume") { request, context in
            try await setStatus(.active, request, context)
        }
        router.post("/v1/merchants/{id}/pause") { request, context in
            try await setMerchantStatus(.paused, request, context)
        }
        router.post("/v1/merchants/{id}/resume") { request, context in
            try await setMerchantStatus(.active, request, context)
        }
        router.post("/v1/psp-webhooks/{id}/replay") { request, context in try await replay(request, context) }
    }

    /// Says what became of an operation whose outcome nobody knows; who says so stands on the order's events.
    private func resolve(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await requests.open(request, context, "resolve", .operator)
        let word = try Problem.reading { () throws(InvalidDocument) in try ActReader.resolution(opening.json) }
        let evidence = OrderRequest.Evidence(
            evidence: word.evidence,
            reason: word.reason,
            by: opening.caller.actor
        )
        return try await requests.answer(.resolve(word.operation, word.outcome, evidence), opening) {
            OrderPresenter.json($0.order)
        }
    }

    /// Tries now what rests.
    private func retry(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await requests.open(request, context, "retry", .operator)
        let operation = try Problem.reading { () throws(InvalidDocument) in try ActReader.retry(opening.json) }
        return try await requests.answer(.retry(operation, by: opening.caller.actor), opening) {
            OrderPresenter.json($0.order)
        }
    }

    /// Records what a merchant was paid; the same one again, by its reference, changes nothing.
    private func record(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let told = try Problem.reading { () throws(InvalidDocument) in try ActReader.payout(json) }
        let merchant = try await gateway.database.read { session in
            try MerchantID(told.merchant).map { try MerchantTable.find($0, of: principal.marketplace, in: session) }
                ?? MerchantTable.find([told.merchant], of: principal.marketplace, in: session).first
        }
        guard let merchant else {
            throw Problem.invalid([
                Violation(
                    pointer: "/merchant",
                    code: "unknown_merchant",
                    detail: "The marketplace has no merchant with this id or external identifier."
                )
            ])
        }
        let result = try await Problem.acting {
            let draft = try PayoutDraft(
                marketplace: principal.marketplace,
                merchant: merchant.id,
                amount: told.amount,
                reference: told.reference,
                paidAt: told.paidAt,
                origin: .operator
            )
            return try await payouts(principal).record(draft)
        }
        if result.isNews { log.note(.recordPayout, result.payout.id.text, by: principal) }
        return .json(
            try await document(result.payout).told(to: principal).bytes,
            status: result.isNews ? .created : .ok,
            headers: [("Location", "/v1/payouts/\(result.payout.id)")]
        )
    }

    /// Records that a payout came back or never left.
    private func fail(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let reason = try Problem.reading { () throws(InvalidDocument) in try ActReader.reason(json) }
        guard let id = context.pathParameter("id").flatMap({ PayoutID($0) }) else { throw Problem.notFound }
        let result = try await Problem.acting {
            try await payouts(principal).fail(id, of: principal.marketplace, because: reason)
        }
        if result.isNews { log.note(.failPayout, id.text, by: principal) }
        return .json(try await document(result.payout).told(to: principal))
    }

    private func payouts(_ principal: Principal) -> Gateway.Payouts {
        Gateway.Payouts(
            database: gateway.database,
            clock: gateway.clock,
            presentation: OrderPresenter.presentation,
            by: principal.actor
        )
    }

    private func document(_ payout: Payout) async throws -> JSON {
        let found = try await gateway.database.read { session in
            try PayoutPresenter.json([payout], in: session).first
        }
        return found ?? .null
    }

    /// Says what became of a break; who writes off or forces has the scope `adjuster`, who says the rest, `operator`.
    private func decide(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator, .adjuster)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let decision = try Problem.reading { () throws(InvalidDocument) in try ActReader.decision(json) }
        try principal.require(decision.state.isPosted ? .adjuster : .operator)
        guard let id = context.pathParameter("id").flatMap({ BreakID($0) }) else { throw Problem.notFound }
        let found = try await Problem.acting {
            try await BreakResolution(gateway.database, by: principal.actor).resolve(
                id,
                of: principal.marketplace,
                as: decision.state,
                because: decision.reason,
                at: gateway.clock.now()
            )
        }
        log.note(.resolveBreak, id.text, by: principal)
        return .json(ListPresenter.json(found).told(to: principal))
    }

    private func setStatus(
        _ status: Merchant.Status,
        _ request: Request,
        _ context: APIContext
    ) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        guard let id = context.pathParameter("id") else { throw Problem.notFound }
        try Query.check(id, of: "{id}", by: .slug)
        let changed = try await Problem.acting {
            try await PSPAccountDirectory(gateway.database, by: principal.actor).setStatus(
                status,
                of: [id],
                in: MarketplaceChoice(principal.marketplace),
                at: gateway.clock.now()
            )
        }
        guard let account = changed.first else { throw Problem.notFound }
        log.note(status == .paused ? .pauseAccount : .resumeAccount, id, by: principal)
        let refusals = try await gateway.database.read { session in
            try CredentialRefusalTable.all(of: principal.marketplace, in: session)
        }
        return .json(
            ListPresenter.json(account, refusals.first { $0.account == account.id }).told(to: principal)
        )
    }

    /// Takes no new orders for a merchant, or takes them again; what is placed goes on.
    private func setMerchantStatus(
        _ status: Merchant.Status,
        _ request: Request,
        _ context: APIContext
    ) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        let name = context.pathParameter("id")
        let known = try await gateway.database.read { session in
            try MerchantRoutes.merchant(name, visibleTo: principal, in: session)
        }
        let changed = try await Problem.acting {
            try await Merchants(gateway.database, by: principal.actor).setStatus(
                status,
                of: [known.externalIdentifier],
                in: MarketplaceChoice(principal.marketplace),
                at: gateway.clock.now()
            )
        }
        guard let merchant = changed.first else { throw Problem.notFound }
        log.note(status == .paused ? .pauseMerchant : .resumeMerchant, merchant.externalIdentifier, by: principal)
        return .json(MerchantDocument.json(merchant).told(to: principal))
    }

    /// Lets what a PSP told be told to its order again.
    private func replay(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        guard let id = context.pathParameter("id").flatMap({ WebhookID($0) }) else { throw Problem.notFound }
        let known = try await gateway.database.read { session in try WebhookTable.find(id, in: session) }
        guard let known, known.marketplace == principal.marketplace else { throw Problem.notFound }
        _ = try await WebhookReplay(gateway.database, by: principal.actor).replay(id, at: gateway.clock.now())
        log.note(.replayWebhook, id.text, by: principal)
        let now = try await gateway.database.read { session in try WebhookTable.find(id, in: session) }
        return .json(DeliveryPresenter.json(now ?? known).told(to: principal))
    }
}
