import Domain
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("An idempotency key", .timeLimit(.minutes(10)))
struct IdempotencyTests {
    @Test("makes one order of a hundred requests at once", arguments: DatabaseEngine.allCases)
    func storm(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let replies = try await withThrowingTaskGroup(of: APIReply.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await client.post("/v1/orders", OrderBody.trip, key: "storm") }
                }
                return try await group.reduce(into: [APIReply]()) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0.status == 201 }, "\(Set(replies.map(\.status)))")
            #expect(Set(replies.map(\.bytes)).count == 1)
            #expect(replies.count { $0.header("Idempotent-Replayed") == nil } == 1)
            #expect(await api.psp.count(.authorize) == 2)
            #expect(await api.psp.count(.capture) == 2)
            #expect(try await client.get("/v1/orders").json["data"]?.arrayValue?.count == 1)
        }
    }

    @Test("replays the final answer byte for byte, whatever became of the order", arguments: DatabaseEngine.allCases)
    func replay(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            await api.psp.script("tok_hotel", .authorize, .init(.decline("lost_or_stolen")))
            let first = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            #expect((first.status, first.json["decision"]) == (201, "refused"), "\(first)")
            #expect(first.header("Idempotent-Replayed") == nil)
            let reordered = JSON.object((OrderBody.trip.objectValue ?? []).reversed())
            for body in [OrderBody.trip, reordered] {
                let again = try await client.post("/v1/orders", body, key: "a")
                #expect(again.bytes == first.bytes)
                #expect(again.status == 201)
                #expect(again.header("Idempotent-Replayed") == "true")
                #expect(again.header("Location") == first.header("Location"))
            }
            #expect(await api.psp.count(.authorize) <= 2)
        }
    }

    @Test("has its final answer kept by the first step that follows it", arguments: DatabaseEngine.allCases)
    func keeping(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let support = try await api.client("operator")
            let first = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            let id = try #require(first.json["id"]?.stringValue.flatMap { OrderID($0) })
            _ = try await api.order(id) { $0.status == .paid }
            for amount: Int64 in [100, 200] {
                let body: JSON = ["amount": .integer(amount), "allocate": "proportional"]
                let refund = try await support.post("/v1/orders/\(id)/refunds", body, key: "\(amount)")
                #expect(refund.status == 201, "\(refund)")
                let kept = try await api.database.read { session in
                    try session.rows("SELECT answer FROM order_step WHERE order_id = \(id) AND answer IS NOT NULL")
                        .map { row in try JSON.parse(row.bytes("answer"))["version"] }
                }
                #expect(kept == [first.json["version"]])
                #expect(try await client.post("/v1/orders", OrderBody.trip, key: "a").bytes == first.bytes)
            }
        }
    }

    @Test("is refused with another body, and names the order it made", arguments: DatabaseEngine.allCases)
    func otherBody(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let first = try await client.post("/v1/orders", OrderBody.trip, key: "a")
            let other = try await client.post("/v1/orders", OrderBody.trip.with("reference", "b"), key: "a")
            #expect((other.status, other.code) == (422, "idempotency_key_reused"))
            #expect(other.json["order"] == first.json["id"])
            #expect(await api.psp.count(.authorize) == 2)
        }
    }

    @Test("is no way around a reference that is in use", arguments: DatabaseEngine.allCases)
    func reference(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let body = OrderBody.trip.with("reference", "cart-1")
            await api.psp.script("tok_hotel", .authorize, .init(.decline("generic")))
            let failed = try await client.post("/v1/orders", body, key: "a")
            #expect(failed.json["decision"] == "refused")
            let id = try #require(failed.json["id"]?.stringValue.flatMap { OrderID($0) })
            _ = try await api.order(id) { $0.status == .failed }
            let second = try await client.post("/v1/orders", body, key: "b")
            #expect((second.status, second.json["status"]) == (201, "paid"))
            let asked = await api.psp.count(.authorize)
            let third = try await client.post("/v1/orders", body, key: "c")
            #expect((third.status, third.code) == (409, "reference_in_use"))
            #expect(third.errors == ["/reference reference_in_use"])
            #expect(third.json["order"] == second.json["id"])
            #expect(await api.psp.count(.authorize) == asked)
        }
    }

    @Test("belongs to one marketplace", arguments: DatabaseEngine.allCases)
    func marketplaces(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let mine = try await api.client("checkout").post("/v1/orders", OrderBody.trip, key: "a")
            let theirs = try await api.client("checkout", of: "other").post("/v1/orders", OrderBody.trip, key: "a")
            #expect((mine.status, theirs.status) == (201, 201))
            #expect(mine.json["id"] != theirs.json["id"])
        }
    }

    @Test(
        "joins an order that was not decided in time, and is told what becomes of it",
        arguments: DatabaseEngine.allCases
    )
    func joining(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            await api.psp.script("tok_hotel", .authorize, .init(.approve, .held))
            let body = OrderBody.trip.with("deadline_ms", 50).with("on_deadline", "continue")
            let first = try await client.post("/v1/orders", body, key: "a")
            #expect((first.status, first.json["decision"]) == (202, "pending"), "\(first)")
            #expect(first.json["status"] == "processing")
            let second = try await client.post("/v1/orders", body, key: "a")
            #expect((second.status, second.json["id"]) == (202, first.json["id"]))
            #expect(second.header("Idempotent-Replayed") == "true")
            await api.psp.release("tok_hotel", .authorize)
            var last = second
            while last.status == 202 { last = try await client.post("/v1/orders", body, key: "a") }
            #expect((last.status, last.json["status"]) == (201, "paid"), "\(last)")
            #expect(last.json["id"] == first.json["id"])
            #expect(await api.psp.count(.authorize) == 2)
        }
    }
}
