import AdapterKit
import Domain
import SimulatorAdapter
import StrictJSON
import StripeAdapter
import Testing

@Suite("What PSPs list of what happened")
struct ActivityTests {
    private static let since = Timestamp(microseconds: 1_795_249_000_123_000)
    private static let jsonType = Header("Content-Type", "application/json")

    private static var listers: [any ActivityListing] {
        get throws { [try SimulatorAdapter(settings: Sample.settings), try StripeAdapter(settings: Sample.settings)] }
    }

    /// A page as both write it; the simulator repeats the moment.
    private static func page(_ data: [JSON], hasMore: Bool) -> WireReply {
        let json: JSON = [
            "object": "list", "since": .integer(since.microseconds / 1000), "data": .array(data),
            "has_more": .bool(hasMore), "url": "/v1/events",
        ]
        return WireReply(status: 200, headers: [jsonType], body: json.bytes)
    }

    @Test("are the events that they tell by webhook, read alike", arguments: ["simulator", "stripe"])
    func alike(name: String) throws {
        var count = 0
        for sample in try WebhookSample.all where sample.adapter == name {
            guard let told = try sample.listener.webhook(sample.incoming).events?.first,
                let json = try? JSON.parse(sample.incoming.body), json["object"] == "event",
                let lister = try sample.listener as? any ActivityListing
            else { continue }
            let reading = lister.activity(Self.page([json], hasMore: false), to: ActivityQuery(since: Self.since))
            #expect(reading == .page([told], next: nil), "\(sample.name)")
            let more = lister.activity(Self.page([json], hasMore: true), to: ActivityQuery(since: Self.since))
            #expect(more == .page([told], next: told.id), "\(sample.name)")
            count += 1
        }
        #expect(count > 5)
    }

    @Test("are believed in no other form")
    func refused() throws {
        let query = ActivityQuery(since: Self.since)
        let others: [WireReply] = [
            WireReply(status: 200, headers: [Self.jsonType], body: Array("{".utf8)),
            WireReply(status: 200, headers: [Self.jsonType], body: Array("{\"object\":\"list\",\"data\":[]}".utf8)),
            WireReply(status: 500, headers: [Self.jsonType], body: Self.page([], hasMore: false).body),
            Self.page([["id": "evt_1"]], hasMore: false),
            Self.page([], hasMore: true),
        ]
        for lister in try Self.listers {
            #expect(lister.activity(Self.page([], hasMore: false), to: query) == .page([], next: nil))
            for reply in others {
                let reading = lister.activity(reply, to: query)
                guard case .refused = reading else {
                    Issue.record("\(lister.name) reads \(reading) out of \(reply)")
                    continue
                }
            }
        }
    }

    @Test("are asked for without moving money, a page behind the other")
    func requests() throws {
        var query = ActivityQuery(since: Self.since)
        for lister in try Self.listers {
            #expect(!lister.listing(query).canMoveMoney)
            #expect(lister.listing(query).method == .get)
        }
        query.cursor = "evt_9"
        let simulator = try SimulatorAdapter(settings: Sample.settings).listing(query)
        #expect(simulator.url == "https://psp.example/v1/events?since=1795249000123&limit=100&after=evt_9")
    }

    @Test("are asked of Stripe as its OpenAPI description has it, of a connected account in its name")
    func stripe() throws {
        let adapter = try StripeAdapter(settings: Sample.settings)
        var query = ActivityQuery(since: Self.since)
        for cursor in [nil, "evt_9"] {
            query.cursor = cursor
            let violations = try OpenAPISpec.stripe.violations(
                adapter.listing(query),
                baseURL: Sample.settings.baseURL
            )
            #expect(violations == [])
        }
        #expect(!adapter.listing(query).headers.contains { $0.name == "Stripe-Account" })
        query.merchantAccount = "acct_1sample"
        #expect(adapter.listing(query).headers.contains(Header("Stripe-Account", "acct_1sample")))
        #expect(StripeAdapter.listsMerchantAccountsApart)
        #expect(!SimulatorAdapter.listsMerchantAccountsApart)
    }

    @Test("is a connected account's where it was listed of one, though the event does not name it")
    func connected() throws {
        let sample = try #require(
            try WebhookSample.all.first { $0.adapter == "stripe" && $0.name == "capture-succeeded" }
        )
        let json = try JSON.parse(sample.incoming.body)
        #expect(json["account"] == nil)
        let query = ActivityQuery(since: Self.since, merchantAccount: "acct_1sample")
        let reading = try StripeAdapter(settings: Sample.settings).activity(
            Self.page([json], hasMore: false),
            to: query
        )
        guard case .page(let events, next: nil) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(events.map(\.merchantAccount) == [.merchant("acct_1sample")])
    }
}
