import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// The list of what waits for a person.
struct AttentionRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/attention") { request, context in try await attention(request, context) }
    }

    /// Something about no order's money, which comes before what orders wait with.
    private struct Standing {
        let name: String
        let reason: String
        let since: Timestamp
        let json: JSON
    }

    /// What waits for a person: PSP accounts whose credentials are refused and what keeps orders from being followed in Wallet
    /// first, then what orders wait with, by order; a merchant's own key sees what is about its own payments.
    private func attention(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.insiders)
        let query = try ListQuery(of: request, allowing: ["reason", "merchant", "order", "amount", "currency"])
        var wanted = AttentionList.Filter(marketplace: principal.marketplace)
        let standingReason = query["reason"].flatMap { ListPresenter.standingReasons.contains($0) ? $0 : nil }
        wanted.isForMerchant = own != nil
        wanted.reason = standingReason != nil ? nil : try query.word("reason", Attention.Reason.self)
        wanted.order = try query.identifier("order", "an order", OrderID.self)
        wanted.amount = try query.amount()
        wanted.currency = try query.currency()
        wanted.created = query.created
        let standingCursor = query.page.startingAfter.flatMap { ListPresenter.isStanding($0) ? $0 : nil }
        if let text = query.page.startingAfter, standingCursor == nil {
            guard let place = ListPresenter.place(text) else {
                throw Query.refusal("starting_after", "the id of an item")
            }
            wanted.after = place
        }
        let isNarrow = ["merchant", "order", "amount", "currency"].contains { query[$0] != nil }
        let showsStanding = own == nil && !isNarrow && wanted.after == nil && wanted.reason == nil
        typealias Found = (items: [JSON], next: String?)
        let found = try await gateway.database.read { [wanted] session -> Found in
            var filter = wanted
            filter.merchant = try query.merchant(for: own, of: principal.marketplace, in: session)
            let standing = showsStanding ? try Self.standing(of: principal.marketplace, in: session) : []
            let waiting = standing.filter { item in
                (standingCursor.map { ListPresenter.standingOrder(item.name) > ListPresenter.standingOrder($0) } ?? true)
                    && (standingReason.map { item.reason == $0 } ?? true) && query.created.contains(item.since)
            }
            let shown = waiting.prefix(query.page.limit)
            let room = query.page.limit - shown.count
            guard room > 0, standingReason == nil else {
                let hasMore = waiting.count > shown.count || standingReason == nil
                return (shown.map(\.json), hasMore ? shown.last?.name : nil)
            }
            let page = try AttentionList.page(filter, limit: room, in: session)
            let items = shown.map(\.json) + page.items.map { ListPresenter.json($0) }
            return (items, page.next.map { ListPresenter.name(of: $0) })
        }
        return .json(Page.json(found.items, next: found.next).told(to: principal))
    }

    private static func standing(of marketplace: String, in session: any Session) throws -> [Standing] {
        let accounts = try CredentialRefusalTable.all(of: marketplace, in: session).map { refusal in
            Standing(
                name: ListPresenter.name(of: refusal),
                reason: CredentialRefusal.reason,
                since: refusal.since,
                json: ListPresenter.json(refusal)
            )
        }
        let wallet = try WalletProblemTable.all(of: marketplace, in: session).map { problem in
            Standing(
                name: ListPresenter.name(of: problem),
                reason: problem.kind.rawValue,
                since: problem.since,
                json: ListPresenter.json(problem)
            )
        }
        return (accounts + wallet).sorted { one, other in
            ListPresenter.standingOrder(one.name) < ListPresenter.standingOrder(other.name)
        }
    }
}
