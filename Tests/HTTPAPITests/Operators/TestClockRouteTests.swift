import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The test clock over HTTP", .timeLimit(.minutes(10)))
struct TestClockRouteTests {
    private static let path = "/v1/test-clock"

    @Test("is shown, moved forward, and never backwards", arguments: DatabaseEngine.allCases)
    func moved(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("operator")
            let before = try await client.get(Self.path)
            #expect(contract.complaints(about: before, to: "GET \(Self.path)").isEmpty, "\(before)")
            #expect(before.json["livemode"] == false && before.json["ahead_seconds"] == 0)
            let moved = try await client.post("\(Self.path)/advance", ["by_seconds": 691_200])
            #expect(contract.complaints(about: moved, to: "POST \(Self.path)/advance").isEmpty, "\(moved)")
            #expect(moved.json["ahead_seconds"] == 691_200)
            let back = try await client.post("\(Self.path)/advance", ["to": "2001-01-01T00:00:00Z"])
            #expect(back.status == 422 && "\(back)".contains("clock_backwards"), "\(back)")
            let far = try await client.post("\(Self.path)/advance", ["to": "9999-01-01T00:00:00Z"])
            #expect(far.status == 422 && "\(far)".contains("clock_too_far"), "\(far)")
            let both = try await client.post(
                "\(Self.path)/advance",
                ["to": "2099-01-01T00:00:00Z", "by_seconds": 1]
            )
            #expect(both.status == 422 && "\(both)".contains("contradiction"), "\(both)")
            #expect(try await client.get(Self.path).json["ahead_seconds"] == 691_200)
        }
    }

    @Test("is refused in a live marketplace, whose answers say that they are live", arguments: DatabaseEngine.allCases)
    func live(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let now = api.clock.now()
            try await api.database.write { session in
                try MarketplaceTable.save(.init(id: "real", name: "Real", mode: .live), at: now, in: session)
            }
            let client = try await api.client("operator", "admin", of: "real")
            let refused = try await client.post("\(Self.path)/advance", ["by_seconds": 1])
            #expect((refused.status, refused.code) == (409, "not_in_live_mode"), "\(refused)")
            #expect(try await client.get(Self.path).json["livemode"] == true)
            let keys = try await client.get("/v1/keys")
            #expect(keys.json["data"]?[0]?["livemode"] == true, "\(keys)")
            let test = try await api.client("admin")
            #expect(try await test.get("/v1/keys").json["data"]?[0]?["livemode"] == false)
        }
    }
}
