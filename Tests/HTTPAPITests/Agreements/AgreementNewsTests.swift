import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What is told of agreements, and who ended them", .timeLimit(.minutes(10)))
struct AgreementNewsTests {
    private static let draft: JSON = [
        "external_identifier": "airline", "type": "recurring", "currency": "USD", "maximum_amount": 5_000,
        "description": "Lounge", "reference": "buyer-1",
    ]

    /// An agreement that is begun and ended.
    private static func lived(_ client: APIClient) async throws -> String {
        let id = try #require(try await client.post("/v1/agreements", draft).json["id"]?.stringValue)
        let order: JSON = [
            "currency": "USD", "amount": 1_000, "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "airline", "amount": 1_000, "agreement": .string(id),
                    "payment": ["type": "psp_token", "token": "tok_first", "psp_account": "sim-a"],
                ]
            ],
        ]
        let first = try await client.post("/v1/orders", order, key: "first")
        #expect(first.json["status"] == "paid", "\(first)")
        #expect(try await client.post("/v1/agreements/\(id)/end", .object([])).status == 200)
        return id
    }

    /// What a key reads of agreements in the feed, in pages of one.
    private static func feed(_ client: APIClient, count: Int) async throws -> [JSON] {
        let end = ContinuousClock.now + .patience
        while true {
            var (events, query) = ([JSON](), "limit=1")
            while true {
                let page = try await client.get("/v1/events?\(query)")
                #expect(page.status == 200, "\(page)")
                events += page.json["data"]?.arrayValue ?? []
                guard let next = page.json["next"]?.stringValue, events.count < 100 else { break }
                query = "limit=1&after=\(next)"
            }
            let found = events.filter { $0["type"]?.stringValue?.hasPrefix("agreement.") ?? false }
            if found.count >= count || ContinuousClock.now > end { return found }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test(
        "is in the feed of events, to the marketplace and to the merchant, whether they have an endpoint or not",
        arguments: DatabaseEngine.allCases,
        [true, false]
    )
    func feed(_ engine: DatabaseEngine, hasEndpoints: Bool) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let outsiders = hasEndpoints ? try await Outsiders(api) : nil
            let id = try await Self.lived(try await api.client("checkout"))
            api.clock.advance(milliseconds: 2_000)
            for (scope, merchant) in [("support", nil), ("merchant:airline", "airline")] as [(String, String?)] {
                let client = try await api.client(scope)
                let events = try await Self.feed(client, count: 2)
                #expect(events.map { $0["type"] } == ["agreement.active", "agreement.ended"], "\(scope)")
                #expect(events.map { $0["sequence"] } == [1, 2])
                #expect(events.allSatisfy { $0.at("data/agreement/id")?.stringValue == id })
                #expect(events.allSatisfy { $0["as_it_was"] == .bool(hasEndpoints) })
                let told = events.map { $0.at("data/agreement/reference") }
                #expect(told == (merchant == nil ? ["buyer-1", "buyer-1"] : [nil, nil]))
                let ids = events.compactMap { $0["id"]?.stringValue }
                if let outsiders {
                    let heard = try await outsiders.heard(merchant).map(\.id.text)
                    #expect(ids.allSatisfy(heard.contains), "\(scope)")
                }
                let rest = try await client.get("/v1/events?after=\(ids[0])&limit=100")
                #expect(rest.json["data"]?.arrayValue?.contains { $0["id"]?.stringValue == ids[1] } == true)
                #expect(rest.json["data"]?.arrayValue?.contains { $0["id"]?.stringValue == ids[0] } == false)
                #expect(contract.complaints(about: rest, to: "GET /v1/events").isEmpty, "\(rest)")
            }
            let hotel = try await Self.feed(try await api.client("merchant:hotel"), count: 0)
            #expect(hotel == [])
        }
    }

    @Test("an end is in the audit trail, once, with who ended it", arguments: DatabaseEngine.allCases)
    func audit(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout", named: "till")
            let id = try await Self.lived(client)
            #expect(try await client.post("/v1/agreements/\(id)/end", .object([])).status == 200)
            let entries = try await api.database.read { session in
                try AuditTrailTable.list(.init(marketplace: "travel"), limit: 100, in: session)
            }
            #expect(entries.map(\.act) == ["agreement.end"])
            #expect(entries.map(\.subject) == [id])
            #expect(entries.map(\.actorKind) == ["key"] && entries.map(\.actorName) == ["till"])
            let merchant = try await client.get("/v1/agreements/\(id)").json["merchant"]?.stringValue ?? ""
            #expect(entries.map(\.details) == [#"{"merchant":"\#(merchant)"}"#])
            let shown = try await api.client("operator").get("/v1/audit?act=agreement.end")
            #expect(shown.json.at("data/0/act") == "agreement.end" && shown.description.contains(id), "\(shown)")
        }
    }
}
