import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Every type of callback", .timeLimit(.minutes(10)))
struct EveryCallbackTests {
    /// What merchants are told of.
    private static let merchantTypes = Set(
        Announcement.Kind.allCases.map(\.rawValue).filter { !$0.hasPrefix("order.") }
    )

    @Test("comes about, and is as its published schema says", arguments: DatabaseEngine.allCases)
    func all(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await api.listen()
            let outsiders = try await Outsiders(api)
            try await Self.live(api)
            func told(_ merchants: String?...) async throws -> [JSON] {
                var all: [JSON] = []
                for merchant in merchants { all += try await outsiders.payloads(merchant) }
                return all
            }
            func types(_ payloads: [JSON]) -> Set<String> { Set(payloads.compactMap { $0["type"]?.stringValue }) }
            let wanted = Set(Announcement.Kind.allCases.map(\.rawValue))
            let end = ContinuousClock.now + .patience
            while try await types(told(nil)) != wanted {
                let missing = try await wanted.subtracting(types(told(nil)))
                try #require(ContinuousClock.now < end, "\(missing.sorted())")
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await types(told("airline", "hotel")) == Self.merchantTypes)
            for payload in try await told(nil, "airline", "hotel") {
                let type = try #require(payload["type"]?.stringValue)
                let schema = try await api.anonymous.get("/schemas/callbacks/v1/\(type).json").json
                let complaints = SchemaChecker(document: schema).complaints(about: payload, schema: schema)
                #expect(complaints == [], "\(payload.text)")
            }
        }
    }

    /// Orders and payouts to which everything happens that is told of.
    private static func live(_ api: APIHarness) async throws {
        let returned = try await OrderStage(api, trip("returned", "manual"), key: "returned")
        #expect(try await returned.ask("capture", key: "c1").status == 200)
        #expect(try await returned.ask("refunds", returned.items(1000, nil), key: "r1").status == 201)
        let canceled = try await OrderStage(api, trip("canceled", "manual"), key: "canceled")
        #expect(try await canceled.ask("cancel", key: "x1").status == 200)
        await api.psp.script("hotel_refused", .authorize, .decline)
        _ = try await OrderStage(api, trip("refused"), key: "refused")
        await api.psp.script("hotel_action", .authorize, .init(.requireAction(milliseconds: 600_000)))
        _ = try await OrderStage(api, trip("action"), key: "action")
        await api.psp.script("airline_failing", .capture, .refuse)
        let failing = try await OrderStage(api, trip("failing", "manual"), key: "failing")
        #expect(try await failing.ask("capture", key: "c2").status == 200)
        for end in [DisputeNotice.State.won, .lost] {
            let disputed = try await OrderStage(api, trip("\(end)"), key: "\(end)")
            let order = try await api.order(try #require(OrderID(disputed.order))) { $0.status == .paid }
            let attempt = try #require(order.payments.first?.attempt.id.text)
            let books = try #require(await api.psp.authorizations.first { $0.reference == attempt })
            for state in [.opened, end] {
                let news = PSPNews.dispute(state, 30_000, of: books)
                #expect(try await api.deliver(news).status == 200)
                try await api.webhook(news, once: .applied)
            }
        }
        try await bounce(api)
        try await pay(api, try await api.order(try #require(OrderID(returned.order))))
        try await agree(api)
        let expiring = try await OrderStage(api, trip("expiring", "manual"), key: "expiring")
        let held = try await api.order(try #require(OrderID(expiring.order)))
        api.clock.advance(to: try #require(held.captureBefore).adding(milliseconds: -86_400_000))
    }

    /// A refund to the airline's buyer that is done, and fails after that.
    private static func bounce(_ api: APIHarness) async throws {
        let bounced = try await OrderStage(api, trip("bounced"), key: "bounced")
        let id = try #require(OrderID(bounced.order))
        _ = try await api.order(id) { $0.status == .paid }
        #expect(try await bounced.ask("refunds", bounced.items(1000, nil), key: "r2").status == 201)
        let order = try await api.order(id) { $0.refunded == 1000 }
        let attempt = try #require(order.payments.first?.attempt.id.text)
        let books = try #require(await api.psp.authorizations.first { $0.reference == attempt })
        let object = try #require(books.operations.last?.id)
        let refund = try #require(order.all(.refund).first?.id)
        let news = PSPNews.operation(.refund, "failed_later", 1000, of: books, object: object, operation: refund)
        #expect(try await api.deliver(news).status == 200)
        try await api.webhook(news, once: .applied)
    }

    /// An agreement with the airline: begun, its card renewed, its consent taken back, ended.
    private static func agree(_ api: APIHarness) async throws {
        let client = try await api.client("checkout")
        let draft: JSON = [
            "external_identifier": "airline", "type": "recurring", "currency": "USD", "amount": 1_000,
            "description": "Lounge",
        ]
        let made = try await client.post("/v1/agreements", draft)
        let id = try #require(made.json["id"]?.stringValue, "\(made)")
        let context = OrderBody.context("airline", 1_000, token: "airline_agreed", at: "sim-a")
        let order = OrderBody.trip.with("amount", 1_000).with("contexts", [context])
            .with("contexts/0/agreement", .string(id))
        #expect(try await client.post("/v1/orders", order, key: "agreed").status == 201)
        let (agreement, now) = (try #require(AgreementID(id)), api.clock.now())
        let writer = AgreementWriter(presentation: OrderPresenter.presentation, random: .system)
        try await api.database.write { session in
            let found = try #require(try AgreementTable.lock(agreement, of: "travel", in: session))
            var method = try #require(found.method)
            method.last4 = "1881"
            let revoked = Decline(code: "R0", category: .generic, message: "Revoked.", advice: .revoked)
            try writer.apply(
                [.methodRenewed(method), .chargeDeclined(revoked)],
                to: found,
                by: TestClockTable.clock(of: "travel", in: session) ?? .live,
                at: now,
                in: session
            )
        }
        #expect(try await client.post("/v1/agreements/\(id)/end", .object([])).status == 200)
    }

    /// Pays the airline, in vain.
    private static func pay(_ api: APIHarness, _ order: Order) async throws {
        let desk = Gateway.Payouts(
            database: api.database,
            clock: api.clock,
            presentation: OrderPresenter.presentation,
            by: .instance("test")
        )
        let draft = try PayoutDraft(
            marketplace: "travel",
            merchant: try #require(order.payments.first).merchant,
            amount: TestCheckout.dollars(100),
            reference: "SEPA-1",
            paidAt: nil,
            origin: .operator
        )
        let payout = try await desk.record(draft).payout
        _ = try await desk.fail(payout.id, of: "travel", because: "account closed")
    }

    /// A trip with PSPs' tokens of its own.
    private static func trip(_ name: String, _ capture: String = "automatic") -> JSON {
        OrderBody.trip.with("capture", .string(capture)).with("reference", .string(name))
            .with("contexts/0/payment/token", .string("airline_\(name)"))
            .with("contexts/1/payment/token", .string("hotel_\(name)"))
    }
}
