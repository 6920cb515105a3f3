import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Looking into orders", .timeLimit(.minutes(10)))
struct LookingTests {
    @Test(
        "shows what was placed, as tables, JSON and CSV, with what waits and what is held",
        arguments: DatabaseEngine.allCases
    )
    func orders(engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            try await place.whileServing(["simulate-psp"]) { psp in
                var file = MarketplaceFile()
                file.baseURL = psp
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let key = try #require(
                    try await place.json("keys", "create", "--scope", "checkout")["key"]?.stringValue
                )
                try await place.whileServing { url in
                    let paid = try await Self.place(Self.order("cart,1", "automatic"), at: url, key)
                    let held = try await Self.place(Self.order("cart-2", "manual"), at: url, key)
                    try await Self.checkLists(place, paid: paid, held: held)
                    try await Self.checkOne(place, paid)
                }
            }
        }
    }

    private static func checkLists(_ place: Workplace, paid: JSON, held: JSON) async throws {
        let ids = [held, paid].map { $0["id"]?.stringValue }
        let listed = try await place.json("orders", "list")
        #expect(listed.arrayValue?.map { $0["id"]?.stringValue } == ids)
        #expect(try await place.json("orders", "list", "--status", "paid").arrayValue?.count == 1)
        #expect(try await place.json("orders", "list", "--limit", "1").arrayValue?.count == 1)
        let reference = try #require(paid["payments"]?[0]?["psp_reference"]?.stringValue)
        let found = try await place.json("orders", "find", "--psp-reference", reference)
        #expect(found.arrayValue?.map { $0["id"]?.stringValue } == [ids[1]])
        let csv = try await place.run("orders", "list", "--format", "csv")
        #expect(csv.out.split(separator: "\n").count == 3)
        #expect(csv.out.contains(",\"cart,1\",paid,accepted,USD,48500,48500,48500,0,2,0,"), "\(csv.out)")
        let holds = try await place.json("holds", "list")
        #expect(holds.arrayValue?.compactMap { $0["held"]?.integerValue } == [30_000, 18_500])
        #expect(holds[0]?["order"]?.stringValue == ids[0])
        #expect(try await place.json("attention", "list") == [])
    }

    private static func checkOne(_ place: Workplace, _ paid: JSON) async throws {
        let id = try #require(paid["id"]?.stringValue)
        let page = try await place.run("orders", "show", id)
        #expect(page.status == 0)
        for part in ["Payments", "Operations", "300.00", "authorize", "capture", "airline-1", "hotel-7"] {
            #expect(page.out.contains(part), "\(page.out)")
        }
        let shown = try await place.json("orders", "show", "cart,1")
        #expect(shown["id"]?.stringValue == id)
        let kinds = shown["operations"]?.arrayValue?.compactMap { $0["kind"]?.stringValue }
        #expect(kinds == ["authorize", "capture", "authorize", "capture"])
        let events = try await place.json("orders", "events", id)
        let types = events.arrayValue?.compactMap { $0["type"]?.stringValue } ?? []
        #expect(types.first == "order.placed")
        #expect(types.contains("order.accepted"))
        #expect(events.arrayValue?.compactMap { $0["sequence"]?.integerValue } == Array(1...Int64(types.count)))
    }

    private static func place(_ order: JSON, at url: String, _ key: String) async throws -> JSON {
        let name = try #require(order["reference"]?.stringValue?.replacing(",", with: "-"))
        let call = HTTPCall(.post, url + "/v1/orders", key: key).sending(order, idempotencyKey: name)
        let reply = try await call.reply()
        try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
        return try JSON.parse(reply.body)
    }

    private static func order(_ reference: String, _ capture: String) -> JSON {
        func context(_ merchant: String, _ amount: Int64) -> JSON {
            [
                "external_identifier": .string(merchant), "amount": .integer(amount),
                "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"],
            ]
        }
        return [
            "reference": .string(reference), "currency": "USD", "amount": 48_500, "capture": .string(capture),
            "policy": ["type": "all_or_nothing"],
            "contexts": [context("airline-1", 30_000), context("hotel-7", 18_500)],
        ]
    }
}
