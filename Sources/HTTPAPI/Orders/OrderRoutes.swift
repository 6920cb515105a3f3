package import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Keyring
import Storage
package import StrictJSON

/// `/v1/orders` and `/v1/payments`.
struct OrderRoutes: Sendable {
    private static let placing = "POST /v1/orders"
    /// How long looking up a key may take before the body is read, in milliseconds.
    private static let lookupMilliseconds: Int64 = 1000

    let gateway: Gateway
    let queries: OrderQueries
    let fingerprints: Fingerprints
    let authenticator: Authenticator
    let body: RequestBody
    let reader: OrderDraftReader
    /// Puts tokens of orders in Wallet into answers.
    let tokens: OrderTokens

    func add(to router: Router<APIContext>) {
        router.post("/v1/orders") { request, context in try await place(request, context) }
        router.get("/v1/orders/{id}") { request, context in try await show(request, context) }
        router.post("/v1/orders/{id}/wait") { request, context in try await wait(request, context) }
        router.get("/v1/orders/{id}/events") { request, context in try await events(request, context) }
        router.get("/v1/payments/{id}") { request, context in try await payment(request, context) }
    }

    private func place(_ request: Request, _ context: APIContext) async throws -> Response {
        let patience = Patience()
        let visit = try await gateway.door.enter()
        let admission = Task { try await admit(request, context) }
        // Where the database takes longer, what the caller allows is in the body, which is read before it is known whose.
        let early = try await Patience.result(
            of: admission,
            until: patience.moment(afterMilliseconds: Self.lookupMilliseconds)
        )
        visit.leave()
        let json = try await body.json(of: request)
        let wait = PlacingWait(
            patience: patience,
            deadlineMilliseconds: Self.deadline(in: json) ?? gateway.settings.deadlineMilliseconds,
            graceMilliseconds: gateway.settings.rules.graceMilliseconds
        )
        let (principal, key) = if let early { early } else { try await wait.admission(admission) }
        defer { visit.leave() }
        do {
            return try await wait.answer(on: visit) {
                try await visit.reenter()
                return try await place(json, key, of: principal, on: visit, context)
            }
        } catch let error as Problem {
            throw error.toldToSheet(of: json)
        } catch let refusal as PlacementRefusal {
            throw Problem(refusal).toldToSheet(of: json)
        }
    }

    /// Who orders, and under which key.
    private func admit(_ request: Request, _ context: APIContext) async throws -> (Principal, String) {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout)
        let key = try IdempotencyKey.text(of: request)
        _ = try Query(of: request, allowing: [])
        return (principal, key)
    }

    /// How long a body's buyer waits, before it is known to be an order; nil if it does not say, or nothing that may be.
    private static func deadline(in json: JSON) -> Int64? {
        guard case .integer(let milliseconds)? = json["deadline_ms"], OrderDraftReader.deadlines.contains(milliseconds)
        else { return nil }
        return milliseconds
    }

    private func place(
        _ json: JSON,
        _ key: String,
        of principal: Principal,
        on visit: Visit,
        _ context: APIContext
    ) async throws -> Response {
        let draft = try Problem.reading { () throws(InvalidDocument) in try reader.draft(json) }
        let use = IdempotencyTable.Use(
            marketplace: principal.marketplace,
            scope: Self.placing,
            key: key,
            bodyHash: fingerprints.hash(of: json.canonical.bytes)
        )
        let answer = try await gateway.place(draft, under: use, by: principal.caller, on: visit)
        context.madeOrder.note(answer.order)
        return .placed(answer, tokens)
    }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let (found, principal) = try await order(request, context)
        _ = try Query(of: request, allowing: [])
        var order = found
        // No answer names a package that there is no more.
        if order.walletOrder != nil, try await !gateway.walletOrders.isKept(order.id) { order.walletOrder = nil }
        let document = OrderPresenter.json(order)
        return .json(principal.maySeeOrderTokens ? tokens.json(document) : document)
    }

    /// Needs no key: it moves nothing.
    private func wait(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .operator)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ OrderID($0) }) else { throw Problem.notFound }
        let json = try await body.optionalJSON(of: request)
        let wait = try Problem.reading { () throws(InvalidDocument) in try RequestReader.wait(json) }
        let order = try await gateway.change(
            of: id,
            of: principal.marketplace,
            after: wait.version,
            withinMilliseconds: wait.milliseconds
        )
        guard let order else { throw Problem.notFound }
        return .json(tokens.json(OrderPresenter.json(order)))
    }

    private func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let (order, _) = try await order(request, context)
        let page = try Page(Query(of: request, allowing: Page.parameters))
        let after = try page.startingAfter.map { text throws(Problem) in
            guard let number = Int64(text) else { throw Query.refusal("starting_after", "the sequence of an event") }
            return number
        }
        let found = try await queries.events(of: order.id, after: after ?? 0, limit: page.limit)
        let data = found.events.map { EventPresenter.json($0).saying(livemode: order.clock.isLive) }
        return .json(Page.json(data, hasMore: found.hasMore))
    }

    /// A payment; a merchant's own key sees its own only.
    private func payment(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        _ = try Query(of: request, allowing: [])
        guard let text = context.pathParameter("id"), let id = PaymentID(text),
            let order = try await queries.order(of: id, marketplace: principal.marketplace),
            let payment = order.payments.first(where: { $0.id == id })
        else { throw Problem.notFound }
        if let own = principal.onlyMerchant {
            let isVisible = order.decision.state == .accepted || payment.captured > 0
            guard payment.merchant == own, isVisible else { throw Problem.notFound }
            return .json(OrderPresenter.payment(payment, of: order, to: .merchant))
        }
        try principal.require(anyOf: Principal.Scope.readers)
        return .json(OrderPresenter.payment(payment, of: order))
    }

    private func order(_ request: Request, _ context: APIContext) async throws -> (Order, Principal) {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.readers)
        guard let text = context.pathParameter("id"), let id = OrderID(text),
            let order = try await queries.order(id, of: principal.marketplace)
        else { throw Problem.notFound }
        return (order, principal)
    }
}

extension Principal {
    /// Whether the key may see what a device follows an order in Wallet with: whoever only looks may not.
    fileprivate var maySeeOrderTokens: Bool {
        [Scope.checkout, .operator].contains { scopes.contains($0.rawValue) }
    }
}

extension Response {
    /// The answer to what was placed, and to the same request sent again.
    static func placed(_ answer: Gateway.Answer, _ tokens: OrderTokens) -> Response {
        var headers = [("Location", "/v1/orders/\(answer.order)")]
        if answer.isReplay { headers.append(("Idempotent-Replayed", "true")) }
        switch answer.body {
        case .final(let bytes): return .json(tokens.bytes(bytes), status: .created, headers: headers)
        case .undecided(let order):
            return .json(tokens.json(OrderPresenter.json(order)).bytes, status: .accepted, headers: headers)
        }
    }
}

/// Writes an order's history as the API shows it.
package enum EventPresenter {
    /// An event as JSON.
    package static func json(_ event: OrderEvent) -> JSON {
        .object(omittingAbsent: [
            "id": .string(event.id.text), "sequence": .integer(event.sequence), "type": .string(event.type),
            "payment": .optional(event.payment?.text), "operation": .optional(event.operation?.text),
            "at": .string(event.at.description), "actor": .optional(event.caller?.actor),
            "request": .optional(event.caller?.request),
            "details": .object(event.details.map { .init($0.name, value($0.value)) }),
        ])
    }

    private static func value(_ value: OrderEvent.Value) -> JSON {
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .list(let texts): .strings(texts)
        }
    }
}
