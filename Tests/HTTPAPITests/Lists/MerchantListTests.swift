import Domain
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A merchant with its own key", .timeLimit(.minutes(10)))
struct MerchantListTests {
    @Test("sees its own of everything, and nothing else", arguments: DatabaseEngine.allCases)
    func own(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            _ = try await OrderStage(api, OrderStage.manual, key: "held")
            let lists = [
                "payments", "refunds", "disputes", "payouts", "breaks", "attention", "holds", "callback-endpoints",
                "callbacks", "balances",
            ]
            for name in ["airline", "hotel", "taxi"] {
                let client = try await api.client("merchant:\(name)")
                let id = try #require(try await client.get("/v1/merchants/\(name)").json["id"])
                for list in lists {
                    let reply = try await client.get("/v1/\(list)?limit=100")
                    #expect(reply.status == 200, "\(list): \(reply)")
                    for item in reply.json["data"]?.arrayValue ?? [] where list != "refunds" {
                        #expect(item["merchant"] == id, "\(list) of \(name): \(item.text)")
                    }
                }
                let merchants = try await client.get("/v1/merchants")
                #expect(merchants.json["data"]?.arrayValue?.map { $0["id"] } == [id])
                let other = name == "hotel" ? "airline" : "hotel"
                let foreign = try await client.get("/v1/payments?merchant=\(other)")
                #expect(foreign.errors == ["?merchant invalid_parameter"])
            }
            let airline = try await api.client("merchant:airline")
            let refunds = try await airline.get("/v1/refunds").json["data"]?.arrayValue ?? []
            #expect(refunds.map { $0["id"] } == [.string(stage.refund)])
            #expect(refunds.first?["items"]?.arrayValue?.map { $0["external_identifier"] } == ["airline"])
            let hotel = try await api.client("merchant:hotel")
            #expect(try await hotel.get("/v1/payments").json["data"]?.arrayValue?.count == 2)
            #expect(try await hotel.get("/v1/disputes").json["data"] == [])
            let taxi = try await api.client("merchant:taxi")
            #expect(try await taxi.get("/v1/payments").json["data"] == [])
            #expect(try await taxi.get("/v1/refunds").json["data"] == [])
        }
    }

    @Test("is not told what the marketplace calls an order", arguments: DatabaseEngine.allCases)
    func reference(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let airline = try await api.client("merchant:airline")
            let agency = try await api.client("operator")
            let paths: [(String, String?)] = [
                ("/v1/payments", nil), ("/v1/payments/{id}", stage.trip.payments[0]), ("/v1/refunds", nil),
                ("/v1/refunds/{id}", stage.refund), ("/v1/disputes", nil), ("/v1/disputes/{id}", stage.dispute),
            ]
            for (template, id) in paths {
                let path = id.map { template.replacing("{id}", with: $0) } ?? template
                let told = try await airline.get(path)
                #expect(told.status == 200, "\(path): \(told)")
                #expect(!told.json.text.contains("order_reference"), "\(path): \(told)")
                #expect(!told.json.text.contains(AccessStage.reference), "\(path): \(told)")
                #expect(contract.complaints(about: told, to: "GET \(template)").isEmpty, "\(path): \(told)")
                #expect(try await agency.get(path).json.text.contains(AccessStage.reference), "\(path)")
            }
        }
    }

    @Test("sees no payment of an order that came to nothing", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            await api.psp.script("tok_hotel", .authorize, .init(.decline("generic")))
            _ = try await api.client("checkout").post("/v1/orders", OrderBody.trip, key: "a")
            let airline = try await api.client("merchant:airline")
            #expect(try await airline.get("/v1/payments").json["data"] == [])
            #expect(try await api.client("operator").get("/v1/payments").json["data"]?.arrayValue?.count == 2)
        }
    }

    @Test("sees nothing of an order before it is accepted", arguments: DatabaseEngine.allCases)
    func undecided(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await api.listen()
            await api.psp.script("tok_hotel", .authorize, .init(.approve, .held))
            let body = OrderBody.trip.with("deadline_ms", 50).with("on_deadline", "continue")
            let placed = try await api.client("checkout").post("/v1/orders", body, key: "a")
            #expect(placed.json["status"] == "processing", "\(placed)")
            let order = try await api.order(try #require(placed.json["id"]?.stringValue.flatMap { OrderID($0) })) {
                $0.payments[0].held > 0
            }
            let attempt = order.payments[0].attempt.id.text
            let authorization = try #require(await api.psp.authorizations.first { $0.reference == attempt })
            let news = PSPNews.operation(.refund, "succeeded", 100, of: authorization, object: "refund_1").at("acct_x")
            #expect(try await api.deliver(news).status == 200)
            try await api.webhook(news, once: .problem)
            let (agency, airline) = (try await api.client("support"), try await api.client("merchant:airline"))
            func items(_ list: String, of client: APIClient) async throws -> [JSON] {
                try await client.get("/v1/\(list)").json["data"]?.arrayValue ?? []
            }
            for list in ["payments", "holds", "attention"] {
                #expect(try await items(list, of: agency).isEmpty == false, "\(list)")
                #expect(try await items(list, of: airline) == [], "\(list)")
            }
            await api.psp.release("tok_hotel", .authorize)
            _ = try await api.order(order.id) { $0.decision.state == .accepted }
            #expect(try await items("payments", of: airline).count == 1)
            #expect(try await items("attention", of: airline).count == 1)
        }
    }

    @Test("finds a refund by its own part of it, and not by another's", arguments: DatabaseEngine.allCases)
    func parts(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let trip = try await OrderStage(api)
            await api.psp.script("tok_hotel", .refund, .refuse)
            let refund = try await trip.ask("refunds", trip.items(100, 50)).json
            let id = try #require(refund["id"]?.stringValue, "\(refund)")
            let parsed = try #require(OrderID(trip.order))
            _ = try await api.order(parsed) { order in order.refunds.allSatisfy { order.status(of: $0) != .pending } }
            let agency = try await api.client("operator")
            let names = try await agency.get("/v1/refunds/\(id)").json["items"]?.arrayValue ?? []
            let airlines = try #require(names.first?["psp_reference"]?.stringValue)
            let hotels = try #require(try await agency.get("/v1/payments/\(trip.payments[1])").json["psp_reference"])
            func isFound(_ query: String, by client: APIClient) async throws -> Bool {
                let reply = try await client.get("/v1/refunds?\(query)")
                #expect(reply.status == 200, "\(reply)")
                return reply.json["data"]?.arrayValue?.map { $0["id"] } == [.string(id)]
            }
            let airline = try await api.client("merchant:airline")
            for query in ["amount=100", "status=succeeded", "psp_reference=\(airlines)"] {
                #expect(try await isFound(query, by: airline), "\(query)")
            }
            let foreign = "psp_reference=\(hotels.stringValue ?? "")"
            for query in ["amount=150", "amount=50", "status=partially_succeeded", "status=failed", foreign] {
                #expect(try await isFound(query, by: airline) == false, "\(query)")
            }
            let hotel = try await api.client("merchant:hotel")
            #expect(try await isFound("amount=50&status=failed", by: hotel))
            #expect(try await isFound("amount=150&status=partially_succeeded", by: agency))
            #expect(try await isFound("amount=150&merchant=airline", by: agency))
            #expect(try await isFound("amount=100&merchant=airline", by: agency) == false)
        }
    }

    @Test("sees a break about it without the words and lines that may name others", arguments: DatabaseEngine.allCases)
    func breaks(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let hidden = ["explanation", "suggestion", "lines"]
            for scope in ["support", "merchant:airline"] {
                let client = try await api.client(scope)
                let list = try await client.get("/v1/breaks")
                let single = try await client.get("/v1/breaks/\(stage.difference)")
                #expect(contract.complaints(about: list, to: "GET /v1/breaks").isEmpty, "\(list)")
                #expect(contract.complaints(about: single, to: "GET /v1/breaks/{id}").isEmpty, "\(single)")
                for shown in [list.json.at("data/0"), single.json] {
                    let shown = try #require(shown)
                    #expect(shown["amount"] == -30)
                    for name in hidden { #expect((shown[name] == nil) == (scope != "support"), "\(scope): \(name)") }
                }
            }
        }
    }
}
