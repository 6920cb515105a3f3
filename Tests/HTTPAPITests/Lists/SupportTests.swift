import StrictJSON
import Testing
import TributaryTestKit

@Suite("A support person", .timeLimit(.minutes(10)))
struct SupportTests {
    @Test(
        "finds an order by the card's last four digits and the amount, and reads its story",
        arguments: DatabaseEngine.allCases
    )
    func find(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("support")
            let till = try await api.client("checkout")
            for number in 0..<4 {
                let body = OrderBody.trip.with("contexts/0/amount", .integer(30_000 - Int64(number)))
                    .with("amount", .integer(45_000 - Int64(number)))
                _ = try await till.post("/v1/orders", body, key: "key-\(number)")
            }
            let any = try await client.get("/v1/orders?limit=1")
            let last4 = try #require(any.json.at("data/0/payments/0/last4")?.stringValue, "\(any)")
            // What the card's statement shows is the airline's part alone.
            for amount in [29_998, 44_998] {
                let found = try await client.get("/v1/orders?last4=\(last4)&amount=\(amount)&currency=USD")
                #expect(found.json["data"]?.arrayValue?.map { $0["amount"] } == [44_998], "\(found)")
                #expect(found.json["has_more"] == false)
                #expect(found.json["next"] == .null)
            }
            for query in ["last4=0000&amount=29998", "last4=\(last4)&amount=29998&currency=EUR", "amount=7"] {
                #expect(try await client.get("/v1/orders?\(query)").json["data"] == [], "\(query)")
            }
            let order = try #require(any.json.at("data/0/id")?.stringValue)
            let story = try await client.get("/v1/orders/\(order)/events")
            #expect(story.json["data"]?.arrayValue?.contains { $0["type"] == "order.accepted" } == true)
        }
    }

    @Test("changes nothing, whatever is asked")
    func change() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await AccessStage(api)
            let client = try await api.client("support")
            let before = try await stage.trip.now()
            for row in AccessRow.all where row.method == "POST" && row.expected(.support) != row.expected(.none) {
                let reply = try await client.post(stage.path(of: row.path), .object([]), key: "x")
                #expect(reply.status == 403, "\(row.operation): \(reply)")
            }
            #expect(try await stage.trip.now() == before)
        }
    }

    @Test(
        "is told which parameter cannot be used",
        arguments: [
            ("orders", "last4=12", "?last4 invalid_parameter"), ("orders", "amount=ten", "?amount invalid_parameter"),
            ("orders", "currency=dollars", "?currency invalid_parameter"),
            ("orders", "merchant=nobody", "?merchant invalid_parameter"),
            ("orders", "metadata=a", "?metadata unknown_parameter"),
            ("payments", "metadata%5B%5D=a", "?metadata%5B%5D unknown_parameter"),
            ("payments", "created%5Bgte%5D=yesterday", "?created[gte] invalid_parameter"),
            ("payments", "status=lost", "?status invalid_parameter"),
            ("refunds", "starting_after=rfd_00000000000000000000000000", "?starting_after invalid_parameter"),
            ("disputes", "starting_after=dsp_00000000000000000000000000", "?starting_after invalid_parameter"),
            ("payouts", "status=lost", "?status invalid_parameter"),
            ("attention", "starting_after=op_1.overdue", "?starting_after invalid_parameter"),
            (
                "callback-endpoints", "starting_after=cbe_00000000000000000000000000",
                "?starting_after invalid_parameter"
            ),
            ("callbacks", "endpoint=mine", "?endpoint invalid_parameter"),
            ("psp-accounts", "status=open", "?status invalid_parameter"),
        ]
    )
    func refusals(_ list: String, _ query: String, _ error: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let reply = try await api.client("support").get("/v1/\(list)?\(query)")
            #expect((reply.status, reply.errors) == (422, [error]), "\(reply)")
        }
    }
}
