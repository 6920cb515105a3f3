import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Keys over HTTP", .timeLimit(.minutes(10)))
struct KeyActTests {
    private static let path = "/v1/keys"

    @Test(
        "are made once under an idempotency key, with a text that is answered once",
        arguments: DatabaseEngine.allCases
    )
    func once(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("admin", "checkout", "operator")
            let wanted: JSON = ["scopes": ["checkout", "support"], "expires_at": "2099-01-01T00:00:00Z"]
            let made = try await client.post(Self.path, wanted, key: "till-7")
            #expect(made.status == 201, "\(made)")
            #expect(contract.complaints(about: made, to: "POST /v1/keys").isEmpty, "\(made)")
            let text = try #require(made.json["key"]?.stringValue)
            #expect(try await api.client(showing: text).get("/v1/orders").status == 200)
            let again = try await client.post(Self.path, wanted, key: "till-7")
            #expect(again.status == 200, "\(again)")
            #expect(again.json["key"] == nil && again.json["id"] == made.json["id"])
            #expect(contract.complaints(about: again, to: "POST /v1/keys").isEmpty, "\(again)")
            let other = try await client.post(Self.path, wanted.with("scopes", ["checkout"]), key: "till-7")
            #expect((other.status, other.code) == (422, "idempotency_key_reused"), "\(other)")
            let bare = try await client.post(Self.path, wanted)
            #expect((bare.status, bare.code) == (400, "idempotency_key_missing"), "\(bare)")
            let listed = try await client.get(Self.path)
            #expect(contract.complaints(about: listed, to: "GET /v1/keys").isEmpty, "\(listed)")
            #expect(listed.json["data"]?.arrayValue?.count == 2)
            #expect(listed.json["data"]?.arrayValue?.allSatisfy { $0["key"] == nil } == true)
        }
    }

    @Test("are made once by many at once", arguments: DatabaseEngine.allCases)
    func race(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("admin", "checkout")
            let replies = try await withThrowingTaskGroup(of: APIReply.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await client.post(Self.path, ["scopes": ["checkout"]], key: "same") }
                }
                return try await group.reduce(into: [APIReply]()) { $0.append($1) }
            }
            #expect(replies.map(\.status).sorted() == [200, 200, 200, 200, 200, 200, 200, 201], "\(replies)")
            #expect(Set(replies.compactMap { $0.json["id"]?.stringValue }).count == 1)
        }
    }

    /// The scopes of the key that asks, those asked for, and the code of the refusal; none if the key is made.
    private static let gifts: [(has: [String], asks: [String], code: String?)] = [
        (["admin"], ["admin"], nil), (["admin"], ["checkout"], "scope_not_held"),
        (["admin"], ["support"], "scope_not_held"), (["admin"], ["merchant:airline"], "scope_not_held"),
        (["admin", "operator"], ["support"], nil), (["admin", "operator"], ["merchant:airline"], nil),
        (["admin", "operator"], ["adjuster"], "scope_not_held"),
        (["admin", "operator"], ["checkout"], "scope_not_held"),
        (["admin", "support"], ["operator"], "scope_not_held"), (["admin", "checkout"], ["publishable"], nil),
        (["admin", "checkout"], ["checkout", "operator"], "scope_not_held"),
        (["operator"], ["operator"], "insufficient_scope"),
    ]

    @Test("give nothing that the key has not which asks")
    func leastPrivilege() async throws {
        try await APIHarness.with(.sqlite) { api in
            for (number, gift) in Self.gifts.enumerated() {
                let client =
                    switch gift.has.count {
                    case 1: try await api.client(gift.has[0])
                    default: try await api.client(gift.has[0], gift.has[1])
                    }
                let body: JSON = ["scopes": .strings(gift.asks)]
                let reply = try await client.post(Self.path, body, key: "gift-\(number)")
                #expect(reply.status == (gift.code == nil ? 201 : 403), "\(gift): \(reply)")
                if let code = gift.code { #expect(reply.code == code, "\(gift): \(reply)") }
            }
        }
    }

    @Test("end no later than the key that asks, and say what is wrong with a body")
    func refusals() async throws {
        try await APIHarness.with(.sqlite) { api in
            let end = api.clock.now().adding(milliseconds: 3_600_000)
            let client = try await api.client("admin", "checkout", "operator", until: end)
            func errors(_ body: JSON) async throws -> [String] {
                try await client.post(Self.path, body, key: "wrong").errors
            }
            let within = end.description
            let beyond = end.adding(milliseconds: 1).description
            #expect(try await errors(["scopes": ["checkout"]]) == ["/expires_at key_outlives_maker"])
            #expect(
                try await errors(["scopes": ["checkout"], "expires_at": .string(beyond)])
                    == ["/expires_at key_outlives_maker"]
            )
            #expect(
                try await errors(["scopes": ["checkout"], "expires_at": "2001-01-01T00:00:00Z"])
                    == ["/expires_at key_ends_in_the_past"]
            )
            #expect(
                try await errors(["scopes": ["merchant:nobody"], "expires_at": .string(within)])
                    == ["/scopes unknown_merchant"]
            )
            #expect(
                try await errors(["scopes": ["publishable", "checkout"], "expires_at": .string(within)])
                    == ["/scopes publishable_with_others"]
            )
            #expect(
                try await errors(["scopes": ["merchant:airline", "merchant:hotel"], "expires_at": .string(within)])
                    == ["/scopes contradiction"]
            )
            let free: JSON = ["scopes": ["checkout"], "expires_at": .string(within)]
            #expect(try await client.post(Self.path, free, key: "wrong").status == 201)
        }
    }

    @Test("are revoked for good, and only in their own marketplace", arguments: DatabaseEngine.allCases)
    func revoked(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let elsewhere = TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1")
            try await elsewhere.write(to: api.database)
            let client = try await api.client("admin", "checkout")
            let made = try await client.post(Self.path, ["scopes": ["checkout"]], key: "a")
            let revoke = "\(Self.path)/\(try #require(made.json["id"]?.stringValue))/revoke"
            let stranger = try await api.client("admin", of: "other")
            #expect(try await stranger.post(revoke, .object([])).status == 404)
            #expect(try await stranger.get(Self.path).json["data"]?.arrayValue?.count == 1)
            let revoked = try await client.post(revoke, .object([]))
            #expect(contract.complaints(about: revoked, to: "POST /v1/keys/{id}/revoke").isEmpty, "\(revoked)")
            #expect(revoked.json["revoked_at"]?.stringValue != nil)
            let shown = api.client(showing: try #require(made.json["key"]?.stringValue))
            #expect(try await shown.get("/v1/orders").status == 401)
            api.clock.advance(milliseconds: 5)
            #expect(try await client.post(revoke, .object([])).json["revoked_at"] == revoked.json["revoked_at"])
            var (seen, query) = ([JSON](), "limit=1")
            while seen.count < 5 {
                let page = try await client.get("\(Self.path)?\(query)")
                seen += page.json["data"]?.arrayValue ?? []
                guard let next = page.json["next"]?.stringValue else { break }
                query = "limit=1&starting_after=\(next)"
            }
            #expect(seen.count == 2)
            #expect(try await client.get("\(Self.path)?starting_after=nobody").status == 422)
        }
    }

    @Test("A merchant is paused and takes orders again", arguments: DatabaseEngine.allCases)
    func pauses(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            let till = try await api.client("checkout")
            let paused = try await client.post("/v1/merchants/airline/pause", .object([]))
            #expect((paused.status, paused.json["status"]) == (200, "paused"), "\(paused)")
            #expect(contract.complaints(about: paused, to: "POST /v1/merchants/{id}/pause").isEmpty, "\(paused)")
            let refused = try await till.post("/v1/orders", OrderBody.trip, key: "a")
            #expect(refused.errors.contains { $0.hasSuffix("merchant_paused") }, "\(refused)")
            let id = try #require(paused.json["id"]?.stringValue)
            let resumed = try await client.post("/v1/merchants/\(id)/resume", .object([]))
            #expect(resumed.json["status"] == "active", "\(resumed)")
            #expect(contract.complaints(about: resumed, to: "POST /v1/merchants/{id}/resume").isEmpty, "\(resumed)")
            #expect(try await till.post("/v1/orders", OrderBody.trip, key: "b").status == 201)
            #expect(try await client.post("/v1/merchants/nobody/pause", .object([])).status == 404)
        }
    }
}
