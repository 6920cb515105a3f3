import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// The lists of orders, payments, refunds and disputes.
struct OrderListRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/orders") { request, context in try await orders(request, context) }
        router.get("/v1/orders/by-reference/{reference}") { request, context in try await order(request, context) }
        router.get("/v1/payments") { request, context in try await payments(request, context) }
        router.get("/v1/refunds") { request, context in try await refunds(request, context) }
        router.get("/v1/disputes") { request, context in try await disputes(request, context) }
        router.get("/v1/disputes/{id}") { request, context in try await dispute(request, context) }
    }

    private func orders(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.readers)
        let query = try ListQuery(
            of: request,
            allowing: [
                "created_after", "reference", "status", "amount", "currency", "merchant", "last4", "psp_reference",
            ],
            metadata: true
        )
        let wanted = try Self.filter(query, of: principal.marketplace)
        let found = try await gateway.database.read { session in
            var filter = wanted
            filter.merchant = try query.merchant(for: nil, of: principal.marketplace, in: session)
            return try OrderSearch.page(filter, limit: query.page.limit, in: session)
        }
        return .json(Page.json(found.orders.map(OrderPresenter.json), next: found.next?.text))
    }

    private static func filter(_ query: ListQuery, of marketplace: String) throws(Problem) -> OrderSearch.Filter {
        var filter = OrderSearch.Filter(marketplace: marketplace)
        filter.reference = try query.text("reference", by: .reference)
        filter.status = try query.word("status", OrderStatus.self)
        filter.createdAfter = try query.moment("created_after")
        filter.created = query.created
        filter.amount = try query.amount()
        filter.currency = try query.currency()
        filter.metadata = query.metadata
        filter.last4 = try query.last4()
        filter.pspReference = try query.text("psp_reference", by: .reference)
        filter.before = try query.cursor("an order", OrderID.self)
        return filter
    }

    /// The order that a reference means: the one that uses it, else the latest that used it.
    private func order(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.readers)
        _ = try Query(of: request, allowing: [])
        guard let text = context.pathParameter("reference") else { throw Problem.notFound }
        let reference = try Query.check(text, of: "{reference}", by: .reference)
        let found = try await gateway.database.read { session in
            try OrderSearch.order(reference: reference, of: principal.marketplace, in: session)
        }
        guard let found else { throw Problem.notFound }
        return .json(OrderPresenter.json(found))
    }

    /// Payments; a merchant's own key sees its own of accepted orders.
    private func payments(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "merchant", "order", "reference", "amount", "currency", "last4", "psp_reference"],
            metadata: true
        )
        var wanted = PaymentList.Filter(marketplace: principal.marketplace)
        wanted.isForMerchant = own != nil
        wanted.order = try query.identifier("order", "an order", OrderID.self)
        wanted.status = try query.word("status", PaymentState.self)
        wanted.reference = try query.text("reference", by: .reference)
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.last4 = try query.last4()
        wanted.pspReference = try query.text("psp_reference", by: .reference)
        wanted.metadata = query.metadata
        wanted.created = query.created
        wanted.before = try query.cursor("a payment", PaymentID.self)
        let found = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            return try PaymentList.page(filter, limit: query.page.limit, in: session)
        }
        let data = found.payments.map { item in
            OrderPresenter.payment(item.payment, of: item.order, to: own == nil ? .marketplace : .merchant)
        }
        return .json(Page.json(data, next: found.next?.text))
    }

    /// Refunds; a merchant's own key sees what was given back of its own payments.
    private func refunds(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "merchant", "order", "amount", "currency", "psp_reference"]
        )
        var wanted = RefundList.Filter(marketplace: principal.marketplace)
        wanted.isForMerchant = own != nil
        wanted.order = try query.identifier("order", "an order", OrderID.self)
        wanted.status = try query.word("status", Refund.Status.self)
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.pspReference = try query.text("psp_reference", by: .reference)
        wanted.created = query.created
        wanted.before = try query.cursor("a refund", RefundID.self)
        let found = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            return try RefundList.page(filter, limit: query.page.limit, in: session)
        }
        guard let found else { throw Query.refusal("starting_after", "the id of a refund") }
        let data = found.refunds.compactMap { RefundPresenter.json($0.refund, of: $0.order, for: own) }
        return .json(Page.json(data, next: found.next?.text))
    }

    /// Disputes; a merchant's own key sees those of its own payments.
    private func disputes(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "merchant", "order", "payment", "amount", "currency", "psp_reference"]
        )
        var wanted = DisputeList.Filter(marketplace: principal.marketplace)
        wanted.order = try query.identifier("order", "an order", OrderID.self)
        wanted.payment = try query.identifier("payment", "a payment", PaymentID.self)
        wanted.state = try query.word("status", DisputeNotice.State.self)
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.pspReference = try query.text("psp_reference", by: .reference)
        wanted.created = query.created
        wanted.before = try query.cursor("a dispute", DisputeID.self)
        let found = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            return try DisputeList.page(filter, limit: query.page.limit, in: session)
        }
        guard let found else { throw Query.refusal("starting_after", "the id of a dispute") }
        let reader = own == nil ? OrderPresenter.Reader.marketplace : .merchant
        let page = Page.json(found.disputes.map { ListPresenter.json($0, to: reader) }, next: found.next?.text)
        return .json(page.told(to: principal))
    }

    private func dispute(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ DisputeID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session in
            try DisputeList.find(id, of: principal.marketplace, in: session)
        }
        guard let found, own.map({ $0 == found.payment.merchant }) ?? true else { throw Problem.notFound }
        return .json(ListPresenter.json(found, to: own == nil ? .marketplace : .merchant).told(to: principal))
    }
}
