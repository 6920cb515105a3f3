import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Keyring
import Storage
import StrictJSON

/// What is asked of an order behind its checkout: capture, release, cancel, refund, the buyer's step done.
struct RequestRoutes: Sendable {
    let gateway: Gateway
    let queries: OrderQueries
    let fingerprints: Fingerprints
    let authenticator: Authenticator
    let body: RequestBody

    func add(to router: Router<APIContext>) {
        router.post("/v1/orders/{id}/capture") { request, context in try await capture(request, context) }
        router.post("/v1/orders/{id}/release") { request, context in try await release(request, context) }
        router.post("/v1/orders/{id}/cancel") { request, context in try await cancel(request, context) }
        router.post("/v1/orders/{id}/refunds") { request, context in try await refund(request, context) }
        router.get("/v1/refunds/{id}") { request, context in try await show(request, context) }
        router.post("/v1/payments/{id}/cancel") { request, context in try await cancelPayment(request, context) }
        router.post("/v1/payments/{id}/complete") { request, context in try await complete(request, context) }
    }

    private func capture(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await open(request, context, "capture", .operator)
        let wanted = try Problem.reading { () throws(InvalidDocument) in try RequestReader.capture(opening.json) }
        var payments: [PaymentID] = []
        if case .items(let items) = wanted { payments = items.map(\.payment) }
        return try await answer(.capture(wanted), opening, naming: payments) { OrderPresenter.json($0.order) }
    }

    private func release(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await open(request, context, "release", .operator)
        let wanted = try Problem.reading { () throws(InvalidDocument) in try RequestReader.release(opening.json) }
        var payments: [PaymentID] = []
        if case .payments(let named) = wanted { payments = named }
        return try await answer(.release(wanted), opening, naming: payments) { OrderPresenter.json($0.order) }
    }

    private func cancel(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await open(request, context, "cancel", .checkout, .operator)
        let payments = try await payments(namedIn: opening)
        let named = try Problem.reading { () throws(InvalidDocument) in
            try RequestReader.cancel(opening.json, among: payments)
        }
        guard let named else { return try await answer(.cancel, opening) { OrderPresenter.json($0.order) } }
        let wanted = OrderRequest.cancelPayments(named, mayRelease: opening.mayRelease)
        return try await answer(wanted, opening, naming: named) { OrderPresenter.json($0.order) }
    }

    private func cancelPayment(_ request: Request, _ context: APIContext) async throws -> Response {
        let payment = context.pathParameter("id").flatMap { PaymentID($0) }
        let opening = try await open(request, context, of: payment, "cancel", .checkout, .operator)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(opening.json) }
        guard let payment else { throw Problem.notFound }
        let wanted = OrderRequest.cancelPayments([payment], mayRelease: opening.mayRelease)
        return try await answer(wanted, opening) { asked in
            let found = asked.order.payments.first { $0.id == payment }
            return found.map { OrderPresenter.payment($0, of: asked.order) } ?? OrderPresenter.json(asked.order)
        }
    }

    /// The payments of the order, if the body names one of them by its merchant's external identifier.
    private func payments(namedIn opening: Opening) async throws -> [Payment] {
        let items = opening.json["items"]?.arrayValue ?? []
        guard items.contains(where: { $0["external_identifier"] != nil }) else { return [] }
        guard let order = try await queries.order(opening.order, of: opening.use.marketplace) else {
            throw Problem.notFound
        }
        return order.payments
    }

    private func refund(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await open(request, context, "refunds", .operator)
        let wanted = try Problem.reading { () throws(InvalidDocument) in try RequestReader.refund(opening.json) }
        var payments: [PaymentID] = []
        if case .items(let items) = wanted.share { payments = items.map(\.payment) }
        return try await answer(.refund(wanted), opening, naming: payments, status: .created) { asked in
            asked.refund.map { RefundPresenter.json($0, of: asked.order) } ?? OrderPresenter.json(asked.order)
        }
    }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ RefundID($0) }),
            let order = try await queries.order(ofRefund: id, marketplace: principal.marketplace),
            let refund = order.refunds.first(where: { $0.id == id }),
            let shown = RefundPresenter.json(refund, of: order, for: own)
        else { throw Problem.notFound }
        return .json(shown)
    }

    /// Needs no key: doing it twice asks the PSP twice, and moves nothing.
    private func complete(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await gateway.door.enter()
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .operator)
        _ = try Query(of: request, allowing: [])
        visit.leave()
        let json = try await body.optionalJSON(of: request)
        try await visit.reenter()
        defer { visit.leave() }
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        guard let id = context.pathParameter("id").flatMap({ PaymentID($0) }),
            let order = try await queries.order(of: id, marketplace: principal.marketplace)
        else { throw Problem.notFound }
        let asked: RequestResult?
        do {
            let subject = Gateway.Orders.Subject(order.id, of: principal.marketplace, by: principal.actor)
            asked = try await gateway.request(.complete(id), of: subject, on: visit)
        } catch let refusal as RequestRefusal {
            throw Problem(refusal, of: order.id, items: [])
        }
        guard let now = asked?.order, let payment = now.payments.first(where: { $0.id == id }) else {
            throw Problem.notFound
        }
        return .json(OrderPresenter.payment(payment, of: now))
    }

    /// A request that may move money: who asks, under which key, about which order, with what.
    struct Opening {
        let order: OrderID
        let principal: Principal
        let use: IdempotencyTable.Use
        let json: JSON
        let visit: Visit

        /// Who stands on what comes of it.
        var caller: Caller { principal.caller }
        /// Whether the key may release what is held once something of the order is captured.
        var mayRelease: Bool { principal.scopes.contains(Principal.Scope.operator.rawValue) }
    }

    /// Opens a request about the order that the path names.
    func open(
        _ request: Request,
        _ context: APIContext,
        _ action: String,
        _ scopes: Principal.Scope...
    ) async throws -> Opening {
        let visit = try await gateway.door.enter()
        let principal = try await admit(request, context, scopes)
        guard let order = context.pathParameter("id").flatMap({ OrderID($0) }) else { throw Problem.notFound }
        return try await open(request, visit, principal, order, "POST /v1/orders/\(order)/\(action)")
    }

    /// Opens a request about the order of the payment that the path names.
    private func open(
        _ request: Request,
        _ context: APIContext,
        of payment: PaymentID?,
        _ action: String,
        _ scopes: Principal.Scope...
    ) async throws -> Opening {
        let visit = try await gateway.door.enter()
        let principal = try await admit(request, context, scopes)
        guard let payment, let order = try await queries.order(of: payment, marketplace: principal.marketplace) else {
            throw Problem.notFound
        }
        return try await open(request, visit, principal, order.id, "POST /v1/payments/\(payment)/\(action)")
    }

    /// Who asks, if that may be asked under a key and says nothing in its query.
    private func admit(
        _ request: Request,
        _ context: APIContext,
        _ scopes: [Principal.Scope]
    ) async throws -> Principal {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: scopes)
        _ = try IdempotencyKey.text(of: request)
        _ = try Query(of: request, allowing: [])
        return principal
    }

    /// Reads the body outside of the door, and goes in again.
    private func open(
        _ request: Request,
        _ visit: Visit,
        _ principal: Principal,
        _ order: OrderID,
        _ scope: String
    ) async throws -> Opening {
        visit.leave()
        let json = try await body.optionalJSON(of: request)
        try await visit.reenter()
        let use = IdempotencyTable.Use(
            marketplace: principal.marketplace,
            scope: scope,
            key: try IdempotencyKey.text(of: request),
            bodyHash: fingerprints.hash(of: json.canonical.bytes)
        )
        return Opening(order: order, principal: principal, use: use, json: json, visit: visit)
    }

    /// Asks, and answers: the first final answer is kept under the key, and said again byte for byte.
    func answer(
        _ wanted: OrderRequest,
        _ opening: Opening,
        naming items: [PaymentID] = [],
        status: HTTPResponse.Status = .ok,
        _ present: (RequestResult) -> JSON
    ) async throws -> Response {
        let (order, use) = (opening.order, opening.use)
        defer { opening.visit.leave() }
        let asked: RequestResult?
        do {
            asked = try await gateway.request(
                wanted,
                of: .init(order, of: use.marketplace, by: opening.principal.actor),
                under: use,
                on: opening.visit
            )
        } catch let refusal as RequestRefusal {
            var problem = Problem(refusal, of: order, items: items)
            problem.key = opening.principal.key
            throw problem
        }
        guard let asked else { throw Problem.notFound }
        var headers = asked.refund.map { [("Location", "/v1/refunds/\($0.id)")] } ?? []
        if asked.isReplay { headers.append(("Idempotent-Replayed", "true")) }
        if let stored = asked.answer { return .json(stored, status: status, headers: headers) }
        let bytes = present(asked).bytes
        guard asked.isFinal else { return .json(bytes, status: .accepted, headers: headers) }
        return .json(try await gateway.keep(bytes, for: use), status: status, headers: headers)
    }
}

/// Refusals of requests about an order that exists, in the words of the API.
extension Problem {
    /// The problem that answers a refusal.
    ///
    /// - Parameters:
    ///   - refusal: why the order does not do it.
    ///   - order: the order.
    ///   - items: the payments that the body names, in its order.
    init(_ refusal: RequestRefusal, of order: OrderID, items: [PaymentID]) {
        let place = refusal.payment.flatMap { payment in items.lastIndex(of: payment) }
        let member = refusal.available == nil ? "payment" : "amount"
        let pointer = place.map { "/items/\($0)/\(member)" } ?? (refusal.available == nil ? "" : "/amount")
        let violation = Violation(pointer: pointer, code: refusal.code.rawValue, detail: refusal.detail)
        self.init(
            status: refusal.code.status,
            code: refusal.code.rawValue,
            detail: refusal.detail,
            errors: refusal.code.status == .unprocessableContent ? [violation] : [],
            order: order.text
        )
        availableAmount = refusal.available
    }
}

extension RequestRefusal.Code {
    /// 409 for what another moment may allow or has made impossible, 422 for what this request asks wrongly, 403 for what
    /// another key may ask.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .notCapturable, .notCancelable, .notRefundable, .captureInProgress, .alreadyCaptured,
            .authorizationExpired, .actionNotRequired, .operationSettled, .operationInFlight, .nothingToRetry,
            .notReleasable, .nothingHeld, .releaseInProgress, .policyUnsatisfied, .disputeDecided, .feeSettled,
            .referenceKnown, .referenceRequired:
            .conflict
        case .captureExceedsAuthorized, .partialCaptureUnsupported, .multipleCapturesUnsupported, .captureInPart,
            .allocationRequired, .refundExceedsCaptured, .unknownPayment, .repeatedPayment, .invalidAmount,
            .releaseUnsupported, .disputeExceedsCaptured:
            .unprocessableContent
        case .unknownOperation: .notFound
        case .insufficientScope: .forbidden
        }
    }
}
