package import Domain
import Gateway
import Hummingbird
package import SQL
import Storage
package import StrictJSON

/// The lists of payouts, balances, breaks, holds and PSP accounts.
struct BookListRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/payouts") { request, context in try await payouts(request, context) }
        router.get("/v1/payouts/{id}") { request, context in try await payout(request, context) }
        router.get("/v1/balances") { request, context in try await allBalances(request, context) }
        router.get("/v1/merchants/{id}/balances") { request, context in try await balances(request, context) }
        router.get("/v1/breaks") { request, context in try await breaks(request, context) }
        router.get("/v1/breaks/{id}") { request, context in try await difference(request, context) }
        router.get("/v1/holds") { request, context in try await holds(request, context) }
        router.get("/v1/psp-accounts") { request, context in try await accounts(request, context) }
    }

    /// Payouts, the latest record first; a merchant's own key sees its own.
    private func payouts(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "merchant", "amount", "currency", "reference"]
        )
        var wanted = PayoutTable.Filter(marketplace: principal.marketplace)
        if let status = query["status"] {
            guard ["paid", "failed"].contains(status) else { throw Query.refusal("status", "paid, failed") }
            wanted.state = status
        }
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.reference = try query.text("reference", by: .reference)
        wanted.created = query.created
        wanted.before = try query.cursor("a payout", PayoutID.self)
        let limit = query.page.limit
        let (data, next) = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            let found = try PayoutTable.list(filter, limit: limit + 1, in: session)
            let shown = Array(found.prefix(limit))
            return (
                try PayoutPresenter.json(shown, in: session), found.count > limit ? shown.last?.id.text : nil
            )
        }
        return .json(Page.json(data, next: next).told(to: principal))
    }

    private func payout(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ PayoutID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session -> JSON? in
            let payout = try PayoutTable.find(id, of: principal.marketplace, in: session)
            guard let payout, own.map({ $0 == payout.merchant }) ?? true else { return nil }
            return try PayoutPresenter.json([payout], in: session).first
        }
        guard let found else { throw Problem.notFound }
        return .json(found.told(to: principal))
    }

    /// What stands between the marketplace and a merchant, by currency; a merchant's own key sees its own.
    private func balances(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.requireStatements()
        let query = try Query(of: request, allowing: ["currency"])
        let currency = try query["currency"].map { text throws(Problem) in
            guard let currency = Currency(code: text) else {
                throw Query.refusal("currency", "an ISO 4217 code, such as USD")
            }
            return currency
        }
        let name = context.pathParameter("id")
        let found = try await gateway.database.read { session in
            let merchant = try MerchantRoutes.merchant(name, visibleTo: principal, in: session)
            return try StatementTable.balances(of: merchant, in: session)
        }
        let shown = found.filter { currency == nil || $0.currency == currency }
        return .json(Page.json(shown.map(ListPresenter.json), next: nil).told(to: principal))
    }

    /// What stands between the marketplace and its merchants, by name and currency; a merchant's own key sees its own.
    private func allBalances(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(of: request, allowing: ["merchant", "currency"], moments: false)
        let currency = try query.currency()
        let all = try await gateway.database.read { session -> [MerchantBalance] in
            guard let only = try query.merchant(for: own, of: principal.marketplace, in: session) else {
                return try StatementTable.balances(of: principal.marketplace, in: session)
            }
            let merchant = try MerchantTable.find(only, of: principal.marketplace, in: session)
            return try merchant.map { try StatementTable.balances(of: $0, in: session) } ?? []
        }
        var rest = all[...]
        if let cursor = query.page.startingAfter {
            // Looked for among all: another currency may be asked for than on the page before.
            guard let place = all.firstIndex(where: { ListPresenter.name(of: $0) == cursor }) else {
                throw Query.refusal("starting_after", "the id of a balance")
            }
            rest = all[(place + 1)...]
        }
        let found = rest.filter { currency == nil || $0.currency == currency }
        let shown = Array(found.prefix(query.page.limit))
        let next = found.count > shown.count ? shown.last.map(ListPresenter.name) : nil
        return .json(Page.json(shown.map { ListPresenter.json($0) }, next: next).told(to: principal))
    }

    /// Breaks, oldest first; a merchant's own key sees those about it.
    private func breaks(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(
            of: request,
            allowing: ["status", "type", "merchant", "psp", "psp_account", "order", "amount", "currency"]
        )
        var wanted = BreakTable.Filter(marketplace: principal.marketplace)
        wanted.states = Set([try query.word("status", BreakState.self)].compactMap(\.self))
        wanted.types = Set([try query.word("type", BreakType.self)].compactMap(\.self))
        wanted.psp = try query.text("psp", by: .slug)
        wanted.pspAccount = try query.text("psp_account", by: .slug)
        wanted.order = try query.identifier("order", "an order", OrderID.self)
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.created = query.created
        let cursor = try query.cursor("a break", BreakID.self)
        let limit = query.page.limit
        let found = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            return try BreakTable.list(filter, after: cursor, limit: limit + 1, in: session)
        }
        let shown = Array(found.prefix(limit))
        let data = shown.map { ListPresenter.json($0, to: own == nil ? .marketplace : .merchant) }
        let next = found.count > limit ? shown.last?.id.text : nil
        return .json(Page.json(data, next: next).told(to: principal))
    }

    private func difference(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ BreakID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session in
            try BreakTable.show(id, of: principal.marketplace, in: session)
        }
        guard let found, own == nil || found.difference.difference.merchant == own else { throw Problem.notFound }
        guard own == nil else {
            return .json(ListPresenter.json(found.difference, [], to: .merchant).told(to: principal))
        }
        return .json(ListPresenter.json(found.difference, found.actions).told(to: principal))
    }

    /// What is held on cards, by order; a merchant's own key sees its own payments' holds.
    private func holds(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(
            of: request,
            allowing: ["merchant", "psp_account", "psp_reference", "amount", "currency", "capture_before[lte]"]
        )
        var wanted = HoldList.Filter(marketplace: principal.marketplace)
        wanted.isForMerchant = own != nil
        wanted.pspAccount = try query.text("psp_account", by: .slug)
        wanted.pspReference = try query.text("psp_reference", by: .reference)
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.created = query.created
        wanted.lapsesBy = try query.moment("capture_before[lte]")
        wanted.after = try query.cursor("a hold", AttemptID.self)
        let found = try await gateway.database.read { [wanted] session in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            return try HoldList.page(filter, limit: query.page.limit, in: session)
        }
        return .json(Page.json(found.holds.map { ListPresenter.json($0) }, next: found.next?.text).told(to: principal))
    }

    /// PSP accounts by id, without their secrets.
    private func accounts(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.insiders)
        let query = try Query(of: request, allowing: Page.parameters.union(["status", "psp"]))
        let page = try Page(query)
        let cursor = try page.startingAfter.map { text throws(Problem) in
            try Query.check(text, of: "starting_after", by: .slug)
        }
        let psp = try query["psp"].map { text throws(Problem) in try Query.check(text, of: "psp", by: .slug) }
        let status = try query["status"].map { text throws(Problem) in
            guard let status = Merchant.Status(rawValue: text) else { throw Query.refusal("status", "active, paused") }
            return status
        }
        let (all, refusals) = try await gateway.database.read { session in
            (
                try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: principal.marketplace))),
                try CredentialRefusalTable.all(of: principal.marketplace, in: session)
            )
        }
        let found = all.filter { account in
            (cursor.map { account.id > $0 } ?? true) && (psp.map { account.psp == $0 } ?? true)
                && (status.map { account.status == $0 } ?? true)
        }
        let shown = Array(found.prefix(page.limit))
        return .json(
            Page.json(
                shown.map { account in ListPresenter.json(account, refusals.first { $0.account == account.id }) },
                next: found.count > page.limit ? shown.last?.id : nil
            )
            .told(to: principal)
        )
    }
}

extension PayoutPresenter {
    /// Payouts as JSON, with their merchants' names and what they pay for.
    package static func json(_ payouts: [Payout], in session: any Session) throws -> [JSON] {
        let names = try MerchantTable.names(of: Set(payouts.map(\.merchant)), in: session)
        let covers = try PayoutTable.covers(of: payouts.map(\.id), in: session)
        return try payouts.map { payout in
            json(
                payout,
                of: names[payout.merchant] ?? payout.merchant.text,
                paying: try covers[payout.id].map { text in try JSON.parse(text: text) } ?? .null
            )
        }
    }
}
