import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("POST /v1/payment-requests", .timeLimit(.minutes(10)))
struct PaymentRequestTests {
    static let path = "/v1/payment-requests"

    /// A sheet for a trip, 450.00 USD in all.
    static let trip: JSON = [
        "currency": "USD", "amount": 45_000, "country": "US",
        "contexts": [
            ["external_identifier": "airline", "amount": 30_000], ["external_identifier": "hotel", "amount": 15_000],
        ],
    ]

    @Test("answers the JSON that a page hands to the sheet", arguments: DatabaseEngine.allCases)
    func stored(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await registerMerchants(api)
            let reply = try await api.client("checkout").post(Self.path, Self.trip)
            #expect(reply.status == 201, "\(reply)")
            let id = try #require(reply.json["id"]?.stringValue)
            #expect(PaymentRequestID(id) != nil)
            #expect(reply.header("Location") == "\(Self.path)/\(id)")
            #expect(reply.json["revision"] == 1)
            let expiry = try #require(reply.json["expires_at"]?.stringValue.flatMap(RFC3339.timestamp))
            let life = expiry.milliseconds(since: api.clock.now())
            #expect(life > 1_700_000 && life <= 1_800_000)
            #expect(reply.warnings.isEmpty, "\(reply)")
            let request = try #require(reply.json["request"])
            #expect(request["countryCode"] == "US")
            #expect(request["currencyCode"] == "USD")
            #expect(request["merchantCapabilities"] == ["supports3DS"])
            #expect(request["total"] == ["label": "travel", "type": "final", "amount": "450.00"])
            #expect(
                request["multiTokenContexts"] == [
                    [
                        "merchantIdentifier": "merchant.travel", "externalIdentifier": "airline",
                        "merchantName": "Airline", "merchantDomain": "airline.example", "amount": "300.00",
                    ],
                    [
                        "merchantIdentifier": "merchant.travel", "externalIdentifier": "hotel",
                        "merchantName": "Hotel", "amount": "150.00",
                    ],
                ]
            )
            let checked = ApplePayRequestValidation.violations(in: request, strict: true)
            #expect(checked.errors.isEmpty)
        }
    }

    @Test(
        "puts a fresh nonce and the merchants' domains into applicationData, and keeps it",
        arguments: DatabaseEngine.allCases
    )
    func applicationData(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await registerMerchants(api)
            let client = try await api.client("checkout")
            let first = try await client.post(Self.path, Self.trip)
            let second = try await client.post(Self.path, Self.trip)
            let data = try #require(first.json.at("request/applicationData")?.stringValue)
            let decoded = try #require(Base64.decoded(data))
            let parts = decoded.split(separator: "|")
            #expect(parts.count == 2 && parts[0].count == 64 && parts[1] == "airline.example", "\(decoded)")
            #expect(second.json.at("request/applicationData")?.stringValue != data)
            let id = try #require(first.json["id"]?.stringValue)
            let change: JSON = ["amount": 30_000, "contexts": [["external_identifier": "airline", "amount": 30_000]]]
            let revised = try await client.post("\(Self.path)/\(id)", change)
            #expect(revised.json.at("request/applicationData")?.stringValue == data, "\(revised)")
            let plain = try await client.post(Self.path, Self.trip.with("contexts", nil))
            let nonce = try #require(plain.json.at("request/applicationData")?.stringValue.flatMap(Base64.decoded))
            #expect(nonce.count == 64 && !nonce.contains("|"))
        }
    }

    @Test("is revised, and counts its revisions", arguments: DatabaseEngine.allCases)
    func revised(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await registerMerchants(api)
            let client = try await api.client("checkout")
            let first = try await client.post(Self.path, Self.trip.with("label", "Trip"))
            let path = "\(Self.path)/\(try #require(first.json["id"]?.stringValue))"
            let change: JSON = [
                "amount": 46_500,
                "contexts": [
                    ["external_identifier": "airline", "amount": 30_000],
                    ["external_identifier": "hotel", "amount": 16_500],
                ],
            ]
            let second = try await client.post(path, change)
            #expect((second.status, second.json["revision"]) == (200, 2), "\(second)")
            #expect(second.json.at("request/total/amount") == "465.00")
            #expect(second.json.at("request/total/label") == "Trip")
            #expect(second.json.at("request/multiTokenContexts/1/amount") == "165.00")
            #expect(second.json["expires_at"] == first.json["expires_at"])
            let refused = try await client.post(path, ["amount": 46_000])
            #expect((refused.status, refused.errors) == (422, ["/contexts contexts_exceed_amount"]))
            let third = try await client.post(path, ["amount": 47_000, "residual": "uncharged"])
            #expect((third.status, third.json["revision"]) == (200, 3), "\(third)")
            #expect(third.warnings == ["/contexts sum_below_total"])
        }
    }

    @Test("revised by many at once counts each", arguments: DatabaseEngine.allCases)
    func storm(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let first = try await client.post(Self.path, Self.trip.with("contexts", nil))
            let path = "\(Self.path)/\(try #require(first.json["id"]?.stringValue))"
            let replies = try await withThrowingTaskGroup(of: APIReply.self) { group in
                for amount in 1...10 {
                    group.addTask { try await client.post(path, ["amount": .integer(Int64(amount) * 100)]) }
                }
                return try await group.reduce(into: [APIReply]()) { $0.append($1) }
            }
            #expect(replies.compactMap { $0.json["revision"]?.integerValue }.sorted() == Array(2...11))
        }
    }

    @Test("gains no contexts if it had none", arguments: DatabaseEngine.allCases)
    func contextsStay(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let first = try await client.post(Self.path, Self.trip.with("contexts", nil))
            #expect((first.status, first.json.at("request/multiTokenContexts")) == (201, nil))
            let path = "\(Self.path)/\(try #require(first.json["id"]?.stringValue))"
            let change: JSON = ["amount": 30_000, "contexts": [["external_identifier": "airline", "amount": 30_000]]]
            let refused = try await client.post(path, change)
            #expect((refused.status, refused.errors) == (422, ["/contexts contexts_cannot_be_added"]))
            let revised = try await client.post(path, ["amount": 30_000])
            #expect((revised.status, revised.json["revision"]) == (200, 2))
        }
    }

    @Test("ends after 30 minutes, or when an order takes it", arguments: DatabaseEngine.allCases)
    func ends(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            var paths: [String] = []
            for _ in 0..<2 {
                let reply = try await client.post(Self.path, Self.trip)
                paths.append("\(Self.path)/\(try #require(reply.json["id"]?.stringValue))")
            }
            let id = try #require(PaymentRequestID(String(paths[0].dropFirst(Self.path.count + 1))))
            var ids = IdentifierSource()
            let (order, now): (OrderID, Timestamp) = (ids.make(at: api.clock.now()), api.clock.now())
            let taken = try await api.database.write { session in
                try [
                    PaymentRequestTable.claim(id, of: "other", for: order, at: now, in: session),
                    PaymentRequestTable.claim(id, of: "travel", for: order, at: now, in: session),
                    PaymentRequestTable.claim(id, of: "travel", for: order, at: now, in: session),
                ]
            }
            #expect(taken == [false, true, false])
            let used = try await client.post(paths[0], ["amount": 45_000])
            #expect((used.status, used.code) == (409, "payment_request_used"))
            #expect(try await client.post(paths[1], ["amount": 45_000]).status == 200)
            api.clock.advance(milliseconds: 1_800_000)
            let late = try await client.post(paths[1], ["amount": 45_000])
            #expect((late.status, late.code) == (409, "payment_request_expired"))
            let end = api.clock.now()
            _ = try await api.database.write { session in
                try RetainedTable.paymentRequests.forget(before: end, limit: 10, in: session)
            }
            #expect(try await client.post(paths[1], ["amount": 45_000]).status == 404)
        }
    }

    @Test("is known to its marketplace only", arguments: DatabaseEngine.allCases)
    func marketplaces(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
            let stored = try await api.client("checkout").post(Self.path, Self.trip)
            let path = "\(Self.path)/\(try #require(stored.json["id"]?.stringValue))"
            let stranger = try await api.client("checkout", of: "other")
            let paths = [path, "\(Self.path)/prq_00000000000000000000000000", "\(Self.path)/x"]
            for path in paths { #expect(try await stranger.post(path, ["amount": 1]).status == 404, "\(path)") }
            #expect(try await api.client("operator").post(Self.path, Self.trip).status == 403)
            #expect(try await api.anonymous.post(Self.path, Self.trip).status == 401)
        }
    }

    /// The airline has a domain, the agency an Apple merchant identifier that stands for all.
    private func registerMerchants(_ api: APIHarness) async throws {
        var merchants = TestMarketplace.travel.merchants
        for index in merchants.indices {
            if merchants[index].externalIdentifier == "airline" { merchants[index].domain = "airline.example" }
            if merchants[index].kind == .marketplace { merchants[index].merchantIdentifier = "merchant.travel" }
        }
        let (changed, now) = (merchants, api.clock.now())
        try await api.database.write { session in
            for merchant in changed { try MerchantTable.save(merchant, at: now, in: session) }
        }
    }
}
