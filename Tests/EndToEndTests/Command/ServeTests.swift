import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Serving", .timeLimit(.minutes(10)))
struct ServeTests {
    @Test("takes a key that keys create made, until it is revoked, and ends in good order")
    func key() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let made = try await place.json("keys", "create", "--scope", "operator", "--scope", "checkout")
            #expect(made.objectValue?.map(\.key) == ["id", "key", "name", "scopes", "networks"])
            #expect(made["scopes"] == ["checkout", "operator"])
            let key = try #require(made["key"]?.stringValue)
            #expect(key.wholeMatch(of: /tk_test_[0-9a-f]{64}/) != nil)
            let id = try #require(made["id"]?.stringValue)
            let ending = try await place.whileServing { url in
                #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+/) != nil)
                try await Self.expect(200, of: url + "/v1/orders", key: key)
                try await Self.expect(401, of: url + "/v1/orders", key: key + "0")
                #expect(try await place.run("keys", "revoke", id).status == 0)
                try await Self.expect(401, of: url + "/v1/orders", key: key)
            }
            #expect(ending.status == 0, "\(ending.err)")
            #expect(ending.out.isEmpty)
            #expect(try await place.run("keys", "revoke", id).status == 1)
            let listed = try await place.json("keys", "list")
            #expect(listed[0]?["id"]?.stringValue == id)
            #expect(listed[0]?["revoked_at"]?.stringValue != nil)
            #expect(listed[0]?["key"] == nil)
        }
    }

    @Test("a merchant's key is bound to the merchant's id, whichever way it is named, and says when it ends")
    func merchantKeys() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let end = "2999-01-01T00:00:00Z"
            let first = try await place.json("keys", "create", "--scope", "merchant:hotel-7", "--expires", end)
            let scope = try #require(first["scopes"]?.arrayValue?.first?.stringValue)
            #expect(scope.wholeMatch(of: /merchant:mer_[0-9a-z]{26}/) != nil)
            #expect(first["expires_at"]?.stringValue?.hasPrefix("2999-01-01T00:00:00") == true)
            let second = try await place.json("keys", "create", "--scope", scope)
            #expect(second["scopes"] == first["scopes"])
            let listed = try await place.json("keys", "list")
            #expect(listed[0]?["expires_at"] == first["expires_at"] && listed[1]?["expires_at"] == .null)
            #expect(listed[0]?["last_used_at"] == .null && listed[0]?["api_version"] == .null)
            let pinned = try await place.json("keys", "create", "--scope", "checkout", "--api-version", "2026-11-01")
            #expect(pinned["api_version"] == "2026-11-01")
            #expect(try await place.json("keys", "list")[2]?["api_version"] == "2026-11-01")
            #expect(try await place.run("keys", "create", "--scope", "checkout", "--api-version", "1999").status != 0)
        }
    }

    @Test("shares an embedded database with nobody, and says that PostgreSQL is for that")
    func secondServer() async throws {
        try await Workplace.withDatabase { place in
            try await place.whileServing { _ in
                let second = try await place.run("serve", "--port", "0")
                #expect(second.status == 2)
                #expect(second.err.contains("tributary.sqlite"))
                #expect(second.err.contains("PostgreSQL"))
                #expect(try await place.run("migrate").status == 2)
                #expect(try await place.run("orders", "list").status == 0)
            }
            try await place.whileServing { url in
                try await Self.expect(200, of: url + "/livez", key: "")
            }
        }
    }

    @Test("refuses an address that is taken")
    func takenAddress() async throws {
        try await Workplace.withDatabase { place in
            try await place.whileServing(["simulate-psp"]) { url in
                let port = try #require(url.split(separator: ":").last)
                let ending = try await place.run("serve", "--port", String(port))
                #expect(ending.status == 2)
                #expect(ending.err.contains("cannot listen on \(url)"), "\(ending.err)")
            }
        }
    }

    @Test("two marketplaces in one database have to be told apart")
    func severalMarketplaces() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            try place.write(MarketplaceFile().text.replacing("id: travel", with: "id: events"), to: "events.yaml")
            _ = try await place.json("apply", "travel.yaml")
            _ = try await place.json("apply", "events.yaml")
            let unclear = try await place.run("keys", "create", "--scope", "checkout")
            #expect(unclear.status == 2)
            #expect(unclear.err.contains("say --marketplace: there are events, travel"), "\(unclear.err)")
            _ = try await place.json("keys", "create", "--scope", "checkout", "--marketplace", "events")
            #expect(try await place.json("keys", "list", "--marketplace", "travel") == [])
            #expect(try await place.json("keys", "list")[0]?["marketplace"] == "events")
            let stranger = try await place.run(
                "keys",
                "create",
                "--scope",
                "merchant:taxi-3",
                "--marketplace",
                "travel"
            )
            #expect(stranger.status == 2)
            #expect(stranger.err.contains("travel has no merchant taxi-3"))
        }
    }

    @Test("says at the start which PSP accounts do not work as they are set up")
    func uselessAccount() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            var place = place
            place.environment["SIM_KEY"] = nil
            let ending = try await place.whileServing { _ in }
            #expect(ending.err.contains("a PSP account cannot be used as it is set up"), "\(ending.err)")
            #expect(ending.err.contains("SIM_KEY is not set"))
        }
    }

    @Test("answers on PostgreSQL beside another instance")
    func twoInstances() async throws {
        try await Workplace.withDatabase(.postgres) { place in
            try await place.whileServing { first in
                try await place.whileServing { second in
                    for url in [first, second] { try await Self.expect(200, of: url + "/readyz", key: "") }
                }
            }
        }
    }

    private static func expect(
        _ status: Int,
        of url: String,
        key: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let reply = try await HTTPCall(.get, url, key: key).reply()
        #expect(reply.status == status, sourceLocation: sourceLocation)
    }
}
