import Domain
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The feed of events", .timeLimit(.minutes(10)))
struct EventFeedTests {
    /// Everything that a key is told, in pages of a few, once there is as much as `count`.
    private static func feed(_ client: APIClient, count: Int, limit: Int = 3) async throws -> [JSON] {
        let end = ContinuousClock.now + .patience
        while true {
            var (events, query, last) = ([JSON](), "limit=\(limit)", String?.none)
            while true {
                let page = try await client.get("/v1/events?\(query)")
                #expect(page.status == 200, "\(page)")
                events += page.json["data"]?.arrayValue ?? []
                guard let next = page.json["next"]?.stringValue, events.count < 1000 else { break }
                try #require(next != last, "The feed stands still behind \(next).")
                (query, last) = ("limit=\(limit)&after=\(next)", next)
            }
            if events.count >= count || ContinuousClock.now > end { return events }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// An event as the callback has it.
    private static func body(_ event: JSON) -> JSON {
        .object((event.objectValue ?? []).filter { !["id", "as_it_was"].contains($0.key) })
    }

    @Test("tells what callbacks tell, body for body, each once and in one order", arguments: DatabaseEngine.allCases)
    func told(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            _ = try await OrderStage(api, OrderStage.manual, key: "held")
            api.clock.advance(milliseconds: 2_000)
            for (merchant, scope) in [(nil, "operator"), ("airline", "merchant:airline"), ("hotel", "merchant:hotel")] {
                let heard = try await stage.outsiders.heard(merchant)
                let client = try await api.client(scope)
                let events = try await Self.feed(client, count: heard.count)
                let ids = events.compactMap { $0["id"]?.stringValue }
                #expect(Set(ids).count == ids.count)
                #expect(Set(ids) == Set(heard.map(\.id.text)), "\(scope)")
                for callback in heard {
                    let event = try #require(events.first { $0["id"]?.stringValue == callback.id.text })
                    let payload = try JSON.parse(text: callback.content.payload)
                    #expect(Self.body(event) == payload)
                    #expect(event["as_it_was"] == true)
                }
                let times = events.compactMap { $0["timestamp"]?.stringValue }
                #expect(times == times.sorted())
                let page = try await client.get("/v1/events?limit=1")
                #expect(contract.complaints(about: page, to: "GET /v1/events").isEmpty, "\(page)")
                let last = try #require(ids.last)
                #expect(try await client.get("/v1/events?after=\(last)").json["data"] == [])
            }
        }
    }

    @Test("is the same whatever the size of its pages", arguments: DatabaseEngine.allCases)
    func sizes(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            _ = try await AccessStage(api)
            _ = try await OrderStage(api, OrderStage.manual, key: "held")
            api.clock.advance(milliseconds: 2_000)
            for scope in ["support", "merchant:airline", "merchant:hotel"] {
                let client = try await api.client(scope)
                let whole = try await Self.feed(client, count: 1, limit: 100).map { $0["id"] }
                #expect(!whole.isEmpty, "\(scope)")
                for limit in 1...3 {
                    let pages = try await Self.feed(client, count: whole.count, limit: limit).map { $0["id"] }
                    #expect(pages == whole, "\(scope), \(limit) a page")
                }
            }
        }
    }

    @Test("tells those who have no endpoint, too", arguments: DatabaseEngine.allCases)
    func endpointless(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api)
            api.clock.advance(milliseconds: 2_000)
            let events = try await Self.feed(try await api.client("support"), count: 4)
            let types = events.compactMap { $0["type"]?.stringValue }
            #expect(types.contains("order.accepted") && types.contains("order.paid"), "\(types)")
            #expect(events.map { $0["sequence"] } == (1...Int64(events.count)).map { .integer($0) })
            for event in events {
                #expect(event.at("data/order/id")?.stringValue == stage.order)
                #expect(event["as_it_was"] == false)
            }
            let own = try await Self.feed(try await api.client("merchant:hotel"), count: 1)
            #expect(own.map { $0.at("data/payment/id")?.stringValue } == [stage.payments[1]])
            #expect(own.map { $0["type"] } == ["payment.captured"])
            #expect(try await api.client("merchant:taxi").get("/v1/events").json["data"] == [])
        }
    }

    @Test(
        "goes on behind an event of the last 30 days, and behind none of another marketplace",
        arguments: DatabaseEngine.allCases
    )
    func after(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            _ = try await OrderStage(api)
            api.clock.advance(milliseconds: 2_000)
            let client = try await api.client("operator")
            let all = try await Self.feed(client, count: 4, limit: 100)
            let first = try #require(all.first?["id"]?.stringValue)
            let rest = try await client.get("/v1/events?after=\(first)&limit=100")
            #expect(rest.json["data"]?.arrayValue == Array(all.dropFirst()))
            let stranger = try await api.client("operator", of: "other")
            #expect(try await stranger.get("/v1/events").json["data"] == [])
            for (client, after) in [
                (stranger, first), (client, "cb_00000000000000000000000000"), (client, "evt_1"),
            ] {
                #expect(try await client.get("/v1/events?after=\(after)").errors == ["?after invalid_parameter"])
            }
            api.clock.advance(milliseconds: 31 * 86_400_000)
            #expect(try await client.get("/v1/events?after=\(first)").errors == ["?after invalid_parameter"])
            #expect(try await client.get("/v1/events").json["data"] == [])
        }
    }
}
