import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The inbox of webhooks", .timeLimit(.minutes(10)))
struct WebhookInboxTests {
    @Test("parks what is about no order yet, and tells it once there is one", arguments: DatabaseEngine.allCases)
    func parked(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let early = PSPNews.operation(
                .capture,
                "succeeded",
                30_000,
                of: .foretold(amount: 30_000),
                object: "capture_dash"
            )
            try await stage.tell(early, until: .parked)
            let (placed, authorization) = try await stage.place(WebhookStage.ticket(.manual))
            #expect(early.json["authorization"]?["id"]?.stringValue == authorization.id)
            let entry = try await stage.api.webhook(early, once: .applied)
            #expect(entry.order == placed.id)
            #expect(try await stage.api.order(placed.id).captured == 30_000)
        }
    }

    @Test("gives up after a day on what stays about nothing", arguments: DatabaseEngine.allCases)
    func unrelated(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let news = PSPNews.authorization(.foretold(amount: 30_000), "succeeded")
            try await stage.tell(news, until: .parked)
            stage.api.clock.advance(milliseconds: 86_400_000 - 60_000)
            #expect(try await stage.api.webhook(news, once: .parked).dueAt != nil)
            stage.api.clock.advance(milliseconds: 60_000)
            let entry = try await stage.api.webhook(news, once: .unrelated)
            #expect(entry.dueAt == nil && entry.settledAt != nil && entry.attempts > 0)
            let amiss = try await stage.api.database.read { try WebhookTable.countAmiss(marketplace: nil, in: $0) }
            #expect(amiss == [.unrelated: 1])
        }
    }

    @Test(
        "shows a person what its order cannot match for a day",
        arguments: DatabaseEngine.allCases,
        ["failed_later", "failed"]
    )
    func unmatched(engine: DatabaseEngine, word: String) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, word, 100, of: authorization, object: "refund_of_whom")
            try await stage.tell(news, until: .parked)
            stage.api.clock.advance(milliseconds: 86_400_000)
            let entry = try await stage.api.webhook(news, once: .problem)
            #expect(entry.problem == "Its order is known, but nothing there that it could be about.")
            #expect(entry.order == placed.id)
        }
    }

    @Test(
        "waits longer than a day for what its order cannot match while nobody knows what became of something",
        arguments: DatabaseEngine.allCases
    )
    func inDoubt(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(WebhookStage.ticket(.manual))
            for kind in [ScriptedCall.Kind.capture, .inquire] {
                await stage.api.psp.always("tok_airline", kind, .requestLost)
            }
            _ = try await stage.api.client("operator").post(
                "/v1/orders/\(placed.id)/capture",
                .object([]),
                key: "capture"
            )
            let news = PSPNews.operation(.refund, "failed_later", 100, of: authorization, object: "refund_of_whom")
            try await stage.tell(news, until: .parked)
            for _ in 0..<2 {
                let tried = try await stage.api.webhook(news, once: .parked).attempts
                stage.api.clock.advance(milliseconds: 86_400_000)
                let entry = try await stage.api.webhook(news, once: .parked, triedAtLeast: tried + 1)
                #expect(entry.dueAt != nil && entry.problem == nil)
            }
        }
    }

    @Test(
        "waits longer than a day for a payment that a repeated request may have made, as long as that is searched for",
        arguments: DatabaseEngine.allCases
    )
    func searched(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine, adapter: ForgetfulAdapter.self) { stage in
            let (_, authorization) = try await stage.placeSentTwice()
            await stage.api.psp.always("tok_airline", .inquire, .requestLost)
            let news = PSPNews.operation(.capture, "succeeded", 30_000, of: authorization, object: "capture_dash")
                .with(payment: "auth_999")
            try await stage.tell(news, until: .parked)
            for _ in 0..<2 {
                let tried = try await stage.api.webhook(news, once: .parked).attempts
                stage.api.clock.advance(milliseconds: 86_400_000)
                let entry = try await stage.api.webhook(news, once: .parked, triedAtLeast: tried + 1)
                #expect(entry.dueAt != nil && entry.problem == nil)
            }
            await stage.api.psp.always("tok_airline", .inquire, nil)
            stage.api.clock.advance(milliseconds: 86_400_000)
            let entry = try await stage.api.webhook(news, once: .problem)
            #expect(entry.problem == "It is about the payment auth_999, but ours is auth_1.")
        }
    }

    @Test(
        "troubles nobody with the end of a payment that a repeated request may have made, and nobody told of for a day",
        arguments: DatabaseEngine.allCases
    )
    func ended(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.placeSentTwice()
            let news = PSPNews.operation(.void, "succeeded", 30_000, of: authorization, object: "void_dash")
                .with(payment: "auth_999")
            try await stage.tell(news, until: .parked)
            stage.api.clock.advance(milliseconds: 86_400_000)
            try await stage.api.webhook(news, once: .unrelated)
            let order = try await stage.api.order(placed.id)
            #expect(order.attention.isEmpty && order.payments[0].held == 30_000)
        }
    }

    @Test("keeps the refusal of what nobody told of yet, and tells it behind that", arguments: DatabaseEngine.allCases)
    func refusedFirst(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(WebhookStage.ticket(.manual))
            let refused = PSPNews.operation(.capture, "failed", 30_000, of: authorization, object: "capture_dash")
            try await stage.tell(refused, until: .parked)
            try await stage.tell(.operation(.capture, "succeeded", 30_000, of: authorization, object: "capture_dash"))
            stage.api.clock.advance(milliseconds: 60_000)
            try await stage.api.webhook(refused, once: .applied)
            let order = try await stage.api.order(placed.id)
            #expect(order.captured == 30_000)
            #expect(order.attention.map(\.reason) == [.successAfterRefusal])
        }
    }

    @Test("stores an event once, however many instances of it come at once", arguments: DatabaseEngine.allCases)
    func duplicates(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_dash")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await stage.api.deliver(news).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 8))
            try await stage.api.webhook(news, once: .applied)
            #expect(try await stage.api.inbox().count == 1)
            #expect(try await stage.api.order(placed.id).refunded == 100)
        }
    }

    @Test("keeps nothing of the body but its hash", arguments: DatabaseEngine.allCases)
    func hash(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (_, authorization) = try await stage.place()
            var news = PSPNews.dispute(.opened, 1, of: authorization)
            let members = news.json.objectValue ?? []
            news.json = .object(members + [.init("customer", "someone@example.com")])
            try await stage.tell(news)
            let entry = try #require(try await stage.api.inbox().first)
            #expect(entry.bodyHash.count == 64)
            #expect(!entry.document.text.contains("someone"))
        }
    }

    @Test("lets a poisoned event block nothing behind it", arguments: DatabaseEngine.allCases)
    func poison(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let poisoned = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1")
            try await stage.tell(poisoned)
            let past = stage.api.clock.now().adding(milliseconds: -60_000)
            try await stage.api.database.write { session in
                try session.run(
                    """
                    UPDATE psp_webhook SET document = '{"notices":[{"happening":"poison"}]}', state = 'parked',
                        settled_at = NULL, due_at = \(past.microseconds)
                    """
                )
            }
            try await stage.tell(.operation(.refund, "succeeded", 200, of: authorization, object: "refund_2"))
            let entry = try await stage.api.webhook(poisoned, once: .problem)
            #expect(entry.problem == "What is stored of it cannot be read by this build.")
            #expect(try await stage.api.order(placed.id).refunded == 300)
        }
    }

    @Test("takes an event in hand that whoever received it left behind", arguments: DatabaseEngine.allCases)
    func leftBehind(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1")
            let now = stage.api.clock.now()
            let notice = Notice(
                about: .init(payment: authorization.id, object: "refund_1"),
                .outcome(.refund, .succeeded(Success(reference: "refund_1", amount: 100)))
            )
            var ids = IdentifierSource()
            let entry = WebhookEntry(
                id: ids.make(at: now),
                to: TestMarketplace.travel.accounts[0],
                eventID: news.id,
                type: "refund.succeeded",
                receivedAt: now,
                bodyHash: "",
                document: WebhookDocument(currency: placed.amount.currency, notices: [notice]),
                dueAt: now
            )
            _ = try await stage.api.database.write { try WebhookTable.insert([entry], in: $0) }
            try await stage.api.webhook(news, once: .applied)
            #expect(try await stage.api.order(placed.id).refunded == 100)
        }
    }
}
