import Domain
import Gateway
import HTTPTypes
import Hummingbird
import StrictJSON

/// What marketplaces and merchants tell of goods, and links to packages for buyers.
struct FulfillmentRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody

    func add(to router: Router<APIContext>) {
        router.put("/v1/orders/{id}/fulfillments/{external_identifier}") { request, context in
            try await tell(request, context) { context throws(Problem) in
                Place(kind: .fulfillment(try Self.externalIdentifier(context)))
            }
        }
        router.put("/v1/orders/{id}/returns/{external_identifier}") { request, context in
            try await tell(request, context) { context throws(Problem) in
                Place(kind: .return(try Self.externalIdentifier(context)))
            }
        }
        for path in ["{payment}", "{payment}/{refund}"] {
            router.put("/v1/orders/{id}/receipts/\(path)") { request, context in
                try await tell(request, context) { context throws(Problem) in try Self.receipt(context) }
            }
        }
        router.post("/v1/orders/{id}/wallet-package-links") { request, context in try await link(request, context) }
    }

    /// What a path names.
    private struct Place {
        let kind: ToldName.Kind
        /// The payment, where the path says it.
        var payment: PaymentID?
    }

    private static func externalIdentifier(_ context: APIContext) throws(Problem) -> String {
        guard let name = context.pathParameter("external_identifier") else { throw .notFound }
        try Query.check(name, of: "external_identifier", by: .identifier)
        guard name.utf8.count <= 64 else { throw Query.refusal("external_identifier", "at most 64 characters") }
        return name
    }

    private static func receipt(_ context: APIContext) throws(Problem) -> Place {
        guard let payment = context.pathParameter("payment").flatMap({ PaymentID($0) }) else { throw .notFound }
        guard let text = context.pathParameter("refund") else { return Place(kind: .receipt(nil), payment: payment) }
        guard let refund = RefundID(text) else { throw .notFound }
        return Place(kind: .receipt(refund), payment: payment)
    }

    /// Needs no key: the same again changes nothing.
    private func tell(
        _ request: Request,
        _ context: APIContext,
        _ named: (APIContext) throws(Problem) -> Place
    ) async throws -> Response {
        let visit = try await gateway.door.enter()
        let principal = try await authenticator.principal(of: request, context)
        if principal.onlyMerchant == nil { try principal.require(.checkout, .operator) }
        _ = try Query(of: request, allowing: [])
        visit.leave()
        let json = try await body.json(of: request)
        try await visit.reenter()
        defer { visit.leave() }
        guard let id = context.pathParameter("id").flatMap({ OrderID($0) }) else { throw Problem.notFound }
        let place = try named(context)
        let told = try await Problem.following(id) {
            try await gateway.walletOrders.tell(
                json,
                as: place.kind,
                of: place.payment,
                in: id,
                by: WalletOrderService.Teller(
                    marketplace: principal.marketplace,
                    onlyMerchant: principal.onlyMerchant,
                    actor: principal.actor
                )
            )
        }
        guard let told else { throw Problem.notFound }
        let head: [JSON.Member] = [
            .init("livemode", .bool(told.order.clock.isLive)), .init("order", .string(told.order.id.text)),
            .init("payment", .string(told.payment.id.text)), .init("merchant", .string(told.payment.merchant.text)),
        ]
        let name: [JSON.Member] =
            switch place.kind {
            case .fulfillment(let name), .return(let name): [.init("external_identifier", .string(name))]
            case .receipt(let refund): [.init("refund", .optional(refund?.text))]
            }
        return .json(
            .object(name + head + (told.document.objectValue ?? [])),
            status: told.isNew ? .created : .ok
        )
    }

    /// Needs no key: each link is another one, and none moves anything.
    private func link(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await gateway.door.enter()
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .operator)
        _ = try Query(of: request, allowing: [])
        visit.leave()
        let json = try await body.optionalJSON(of: request)
        try await visit.reenter()
        defer { visit.leave() }
        let wanted = try Problem.reading { () throws(InvalidDocument) in
            try json.read(refusingNull: true) { body -> LinkRequest? in
                LinkRequest(payment: body.parsed("payment", .optional, expecting: "a payment's id") { PaymentID($0) })
            }
        }
        guard let id = context.pathParameter("id").flatMap({ OrderID($0) }) else { throw Problem.notFound }
        let link = try await Problem.following(id) {
            try await gateway.walletOrders.link(to: id, payment: wanted.payment, of: principal.marketplace)
        }
        guard let link else { throw Problem.notFound }
        return .json(
            ["url": .string(link.url), "expires_at": .string(link.expiresAt.description)],
            status: .created
        )
    }

    private struct LinkRequest {
        let payment: PaymentID?
    }
}

extension Problem {
    /// What `body` does, its refusals as problems.
    fileprivate static func following<Value: Sendable>(
        _ order: OrderID,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as WalletOrderRefusal {
            switch refusal {
            case .notFollowed:
                throw Problem(
                    status: .conflict,
                    code: "order_not_followed",
                    detail: "Nobody can follow the order in Wallet: it was placed without a package.",
                    order: order.text
                )
            case .paymentMissing:
                let detail = "The order has several payments: say whose goods these are."
                throw Problem.invalid([Violation(pointer: "/payment", code: "missing_field", detail: detail)])
            case .invalid(let violations): throw Problem.invalid(violations)
            }
        }
    }
}
