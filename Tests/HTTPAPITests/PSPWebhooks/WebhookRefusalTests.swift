import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A webhook is not taken", .timeLimit(.minutes(10)))
struct WebhookRefusalTests {
    private static let path = "/v1/psp/simulator/sim-a/webhooks"

    @Test("from a stranger, or from long ago, and nothing of it is kept", arguments: DatabaseEngine.allCases)
    func signature(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_dash")
            let forged = try await stage.api.deliver(news, signedBy: .stranger)
            #expect(forged.status == 401 && forged.code == "webhook_wrong_signature")
            #expect(forged.header("Content-Type") == "application/problem+json")
            let old = stage.api.clock.now().adding(milliseconds: -301_000)
            let stale = try await stage.api.deliver(news, at: old)
            #expect(stale.status == 401 && stale.code == "webhook_outside_tolerance")
            let bare = try await stage.api.anonymous.post(Self.path, news.json)
            #expect(bare.status == 400 && bare.code == "webhook_unsigned")
            #expect(try await stage.api.inbox() == [])
            #expect(try await stage.api.order(placed.id) == placed)
        }
    }

    @Test("for a PSP or an account that is not there, or takes none", arguments: DatabaseEngine.allCases)
    func unknown(engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            for path in ["stripe/sim-a", "simulator/sim-z", "paypal/sim-a", "simulator/%00", "simulator/sim%2Da%20"] {
                let reply = try await api.anonymous.post("/v1/psp/\(path)/webhooks", [:])
                #expect(reply.status == 404 && reply.code == "not_found", "\(path)")
            }
            let reply = try await api.anonymous.post(Self.path, [:])
            #expect(reply.status == 503 && reply.code == "webhook_not_configured")
            #expect(try await api.anonymous.get(Self.path).status == 404)
        }
    }

    @Test("that is too long")
    func tooLong() async throws {
        try await WebhookStage.with(.sqlite) { stage in
            let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 65_537)
            #expect(try await stage.api.deliver(spaces, named: "evt_1").status == 413)
            let blank = try await stage.api.deliver(Array(spaces.dropLast()), named: "evt_1")
            #expect(blank.status == 400 && blank.code == "webhook_malformed")
        }
    }

    @Test("from another marketplace's account of the same name", arguments: DatabaseEngine.allCases)
    func marketplaces(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let other = TestMarketplace(id: "another", baseURL: "http://127.0.0.1:1")
            try await other.write(to: stage.api.database)
            try await stage.api.listen(to: .stranger, for: other)
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_dash")
            #expect(try await stage.api.deliver(news, signedBy: .stranger).status == 200)
            let entry = try await stage.api.webhook(news, once: .parked)
            #expect(entry.marketplace == "another")
            #expect(try await stage.api.order(placed.id) == placed)
            #expect(try await stage.api.deliver(news).status == 200)
            let both = try await stage.api.inbox().map(\.marketplace)
            #expect(both == ["another", "travel"])
            _ = try await stage.api.order(placed.id) { $0.refunded == 100 }
        }
    }

    @Test(
        "under a name and a secret that two marketplaces share, unless it names one",
        arguments: DatabaseEngine.allCases
    )
    func shared(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let other = TestMarketplace(id: "another", baseURL: "http://127.0.0.1:1")
            try await other.write(to: stage.api.database)
            try await stage.api.listen(for: other)
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_dash")
            let refused = try await stage.api.deliver(news)
            #expect((refused.status, refused.code) == (503, "webhook_ambiguous"), "\(refused)")
            #expect(try await stage.api.inbox() == [])
            #expect(try await stage.api.deliver(news, to: "nobody:sim-a").status == 404)
            #expect(try await stage.api.deliver(news, to: "travel:sim-a").status == 200)
            _ = try await stage.api.order(placed.id) { $0.refunded == 100 }
            #expect(try await stage.api.inbox().map(\.marketplace) == ["travel"])
        }
    }

    /// What a submerchant or a mistake may say of the airline's payment, and what is said against it.
    static let objections: [(change: @Sendable (PSPNews) -> PSPNews, problem: String)] = [
        (
            { $0.at("acct_hotel") },
            "It happened at the merchant account acct_hotel, but the payment was routed to no merchant's account."
        ),
        ({ $0.with(currency: "EUR") }, "Its amounts are in EUR, but the order is in USD."),
        ({ $0.with(payment: "auth_999") }, "It is about the payment auth_999, but ours is auth_1."),
    ]

    @Test("to heart, if it says something of a payment that cannot be", arguments: 0..<objections.count)
    func objection(_ index: Int) async throws {
        let (change, problem) = Self.objections[index]
        try await WebhookStage.with(.sqlite) { stage in
            let (placed, authorization) = try await stage.place()
            let news = change(.operation(.refund, "succeeded", 100, of: authorization, object: "refund_dash"))
            try await stage.tell(news, until: .problem)
            let entry = try #require(try await stage.api.inbox().first)
            #expect(entry.problem == problem && entry.order == placed.id)
            let order = try await stage.api.order(placed.id)
            #expect(order.payments == placed.payments)
            #expect(order.attention.map(\.reason) == [.webhookProblem])
            #expect(order.attention.map(\.webhook) == [entry.id])
        }
    }

    @Test(
        "to heart of a payment that a repeated request may have made, too, until that is told, or a day is over",
        arguments: DatabaseEngine.allCases,
        [true, false]
    )
    func unheardSecond(engine: DatabaseEngine, isTold: Bool) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.placeSentTwice()
            let capture = PSPNews.operation(.capture, "succeeded", 30_000, of: authorization, object: "capture_dash")
            let early = capture.with(payment: "auth_999")
            try await stage.tell(early, until: .parked)
            #expect(try await stage.api.order(placed.id).attention.isEmpty)
            if isTold { try await stage.tell(.authorization(authorization, "authorized").with(payment: "auth_999")) }
            stage.api.clock.advance(milliseconds: isTold ? 60_000 : 86_400_000)
            let entry = try await stage.api.webhook(early, once: isTold ? .applied : .problem)
            #expect(entry.problem == (isTold ? nil : "It is about the payment auth_999, but ours is auth_1."))
            let order = try await stage.api.order(placed.id)
            #expect(order.payments[0].attempts.map(\.captured) == (isTold ? [0, 30_000] : [0]))
        }
    }

    @Test("to heart without the merchant account that the payment was routed to", arguments: DatabaseEngine.allCases)
    func merchantAccount(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(TestCheckout([.init("hotel", 15_000)]))
            let nameless = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1")
            try await stage.tell(nameless, to: "sim-b", until: .problem)
            let named = PSPNews.operation(.refund, "succeeded", 200, of: authorization, object: "refund_2")
            try await stage.tell(named.at("acct_hotel"), to: "sim-b")
            #expect(try await stage.api.order(placed.id).refunded == 200)
        }
    }

    @Test("to heart at an account that the payment was not routed to", arguments: DatabaseEngine.allCases)
    func account(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let capture = try #require(placed.all(.capture).first?.id)
            try await stage.tell(
                .operation(.capture, "failed_later", 30_000, of: authorization, object: "c", operation: capture),
                to: "sim-b",
                until: .parked
            )
            #expect(try await stage.api.order(placed.id) == placed)
        }
    }

    @Test("to heart if it speaks of a payment and cannot be read, or speaks of none")
    func unreadable() async throws {
        try await WebhookStage.with(.sqlite) { stage in
            let (placed, authorization) = try await stage.place()
            try await stage.tell(.dispute(.opened, -5, of: authorization), until: .problem)
            try await stage.tell(.authorization(authorization, "praised").ofType("weather.changed"), until: .ignored)
            #expect(try await stage.api.order(placed.id) == placed)
        }
    }
}

extension PSPNews {
    fileprivate func with(currency: String) -> PSPNews {
        changing("\"currency\":\"USD\"", to: "\"currency\":\"\(currency)\"")
    }

    /// The same of another payment.
    func with(payment: String) -> PSPNews { changing("\"auth_1\"", to: "\"\(payment)\"") }

    fileprivate func ofType(_ type: String) -> PSPNews {
        changing("\"type\":\"authorization.praised\"", to: "\"type\":\"\(type)\"")
    }

    private func changing(_ text: String, to other: String) -> PSPNews {
        var news = self
        news.json = (try? JSON.parse(text: json.text.replacing(text, with: other))) ?? .null
        return news
    }
}
