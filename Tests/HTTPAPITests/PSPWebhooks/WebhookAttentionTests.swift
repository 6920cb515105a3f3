import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A webhook that is not told to its order", .timeLimit(.minutes(10)))
struct WebhookAttentionTests {
    /// A hotel's room for 150.00 dollars, at the merchant account `acct_hotel` of `sim-b`.
    private static let room = TestCheckout([.init("hotel", 15_000)])

    @Test("is one item on it that names the webhook, however many there are", arguments: DatabaseEngine.allCases)
    func raised(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(Self.room)
            let first = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1").at("acct_x")
            try await stage.tell(first, to: "sim-b", until: .problem)
            let second = PSPNews.dispute(.opened, 200, of: authorization)
            try await stage.tell(second, to: "sim-b", until: .problem)
            let order = try await stage.api.order(placed.id)
            let oldest = try #require(try await stage.api.inbox().map(\.id).min())
            #expect(order.attention.map(\.reason) == [.webhookProblem])
            #expect(order.attention.first?.webhook == oldest)
            #expect(order.attention.first?.amountAtRisk == 100)
            let client = try await stage.api.client("operator")
            let shown = try await client.get("/v1/orders/\(placed.id)").json
            #expect(shown["attention"]?[0]?["webhook"]?.stringValue == oldest.text)
            #expect(order.refunded == 0 && order.chargedBack == 0)
        }
    }

    @Test(
        "is told when it is replayed after its cause is mended, and its item ends",
        arguments: DatabaseEngine.allCases
    )
    func replayed(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(Self.room)
            let first = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1")
            let second = PSPNews.dispute(.opened, 200, of: authorization)
            for news in [first, second] { try await stage.tell(news, to: "sim-b", until: .problem) }
            let waiting = try await stage.api.inbox().sorted { $0.id < $1.id }
            for (entry, left) in zip(waiting, [1, 0]) {
                // As an earlier build kept it, of a PSP that names no account.
                try await stage.api.database.write { session in
                    try session.run(
                        """
                        UPDATE psp_webhook SET document = \(Self.nameless(entry.document).text) WHERE id = \(entry.id)
                        """
                    )
                    #expect(try WebhookTable.replay(entry.id, at: stage.api.clock.now(), in: session))
                }
                let order = try await stage.api.order(placed.id) { order in
                    order.attention.count == left && order.refunded == 100 && (left > 0 || order.chargedBack == 200)
                }
                #expect(order.attention.compactMap(\.webhook) == waiting.suffix(left).map(\.id))
            }
            #expect(try await stage.api.inbox().map(\.state) == [.applied, .applied])
        }
    }

    private static func nameless(_ document: WebhookDocument) -> WebhookDocument {
        WebhookDocument(currency: document.currency, notices: document.notices)
    }

    @Test(
        "ends with an operator's word that it was seen to, which the history keeps",
        arguments: DatabaseEngine.allCases
    )
    func dismissed(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(Self.room)
            let news = PSPNews.dispute(.opened, 200, of: authorization)
            try await stage.tell(news, to: "sim-b", until: .problem)
            let entry = try #require(try await stage.api.inbox().first)
            let was = try #require(entry.problem)
            let orders = Gateway.Orders.remote(
                database: stage.api.database,
                clock: stage.api.clock,
                capabilities: [:],
                instance: "command",
                presentation: .plain
            )
            let testimony = OrderRequest.Evidence(evidence: "portal", reason: "not ours", by: "ada")
            let ada = AuditActor.shell("ada", on: "till-7")
            let seen = try await orders.dismiss(entry.id, testimony, by: ada)
            #expect(seen?.state == .ignored)
            #expect(
                seen?.problem == "Dismissed by ada: not ours (portal) (It was: \(was))"
            )
            #expect(try await stage.api.order(placed.id).attention == [])
            let events = try await stage.api.database.read { session in
                try OrderSteps.events(of: placed.id, after: 0, limit: 100, in: session)
            }
            #expect(events.last?.type == "order.webhook_dismissed")
            #expect(try await orders.dismiss(entry.id, testimony, by: ada)?.state == .ignored)
            #expect(try await orders.dismiss(placed.id.other, testimony, by: ada) == nil)
        }
    }

    @Test("stands apart from an order that can be told nothing", arguments: DatabaseEngine.allCases)
    func apart(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(Self.room)
            // No step of it keeps the rules any more.
            try await stage.api.database.write { session in
                try session.run("UPDATE payment SET amount = amount + 1 WHERE order_id = \(placed.id)")
            }
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1")
            try await stage.tell(news.at("acct_hotel"), to: "sim-b", until: .problem)
            let strays = try await stage.api.database.read { session in try WebhookTable.strays(of: nil, in: session) }
            #expect(strays.map(\.count) == [1])
            let problem = try #require(strays.first?.oldest.problem)
            #expect(problem.hasPrefix("It would break a rule that never breaks"))
            try await stage.api.database.write { session in
                try session.run("UPDATE payment SET amount = amount - 1 WHERE order_id = \(placed.id)")
            }
        }
    }

    @Test("is kept until it is seen to, when others are forgotten", arguments: DatabaseEngine.allCases)
    func kept(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (_, authorization) = try await stage.place(Self.room)
            try await stage.tell(.dispute(.opened, 200, of: authorization), to: "sim-b", until: .problem)
            try await stage.tell(.dispute(.lost, 200, of: authorization).at("acct_hotel"), to: "sim-b")
            #expect(try await stage.api.inbox().count == 2)
            let later = stage.api.clock.now().adding(milliseconds: 91 * 86_400_000)
            _ = try await stage.api.database.write { session in
                try RetainedTable.webhooks.forget(before: later, limit: 10, in: session)
            }
            let left = try await stage.api.inbox()
            #expect(left.map(\.state) == [.problem])
            try await stage.api.database.write { session in
                var entry = left[0]
                entry.dismiss(because: "seen", at: stage.api.clock.now())
                try WebhookTable.update(entry, in: session)
                #expect(try RetainedTable.webhooks.forget(before: later, limit: 10, in: session) == 1)
            }
            #expect(try await stage.api.inbox() == [])
        }
    }
}

extension OrderID {
    /// A webhook's name that no webhook has.
    fileprivate var other: WebhookID { WebhookID(bits: 1) }
}
