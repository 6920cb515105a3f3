import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The same act on both ways: endpoints, declarations, breaks", .timeLimit(.minutes(10)))
struct BothWaysElsewhereTests {
    @Test("an endpoint is tested, enabled, replayed to and given a secret", arguments: DatabaseEngine.allCases)
    func endpoints(_ engine: DatabaseEngine) async throws {
        let port = try await FreePort.find()
        try await BothWays.with(engine) { place in
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
        } _: { ways in
            var file = MarketplaceFile()
            file.baseURL = ways.counter.psp
            file.name = "Travel Now, callback: { url: \"http://127.0.0.1:\(port)/\" }"
            try ways.direct.write(file.text, to: "told.yaml")
            try #require(await ways.direct.run("apply", "told.yaml").status == 0)
            try await ways.counter.order("cart-a", at: ways.url)
            try await ways.expectSame(["callbacks", "test", "travel"], status: 1)
            try await ways.expectSame(["callbacks", "test", "travel", "--format", "json"], status: 1)
            try await ways.expectSame(["callbacks", "replay", "--endpoint", "travel", "--dry-run"])
            try await ways.expectSame(["callbacks", "replay", "--endpoint", "travel"])
            let told = try await ways.direct.json("callbacks", "list").arrayValue ?? []
            let callback = try #require(told.first?["id"]?.stringValue)
            try await ways.expectSame(["callbacks", "replay", callback])
            try await ways.expectSame(["secrets", "rotate", "travel", "--overlap", "1h"])
            try await ways.expectSame(["secrets", "rotate", "travel", "--format", "json"])
            let endpoint = try #require(told.first?["endpoint"]?.stringValue)
            let enabled = try await ways.end(["callbacks", "enable", endpoint], ["callbacks", "enable", "travel"])
            #expect((enabled.direct.status, enabled.http.status) == (0, 0))
            #expect(enabled.http.err.hasPrefix(endpoint) && enabled.http.err.hasSuffix("is delivered to again\n"))
            let kept = try await ways.http.run("secrets", "rotate", "travel", "--to", "env:HOOK_SECRET")
            #expect(kept.status == 2 && kept.err.contains("--to is for --direct"), "\(kept.err)")
        }
    }

    @Test(
        "a declaration comes to the same, and over HTTP names no secret but its own",
        arguments: DatabaseEngine.allCases
    )
    func declarations(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine, serving: ["--config", "settings.yaml"]) { place in
            let secrets = place.path("secrets")
            try place.write("apply_secrets: \(secrets)\n", to: "settings.yaml")
            let folder = URL(fileURLWithPath: secrets).appending(path: "travel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try place.write("key_sim", to: "secrets/travel/sim")
        } _: { ways in
            var file = MarketplaceFile()
            file.baseURL = ways.counter.psp
            file.credential = "file:\(ways.direct.path("secrets/travel/sim"))"
            file.hotelName = "Grander Hotel"
            file.hasHotel = true
            try ways.direct.write(file.text, to: "changed.yaml")
            for format in ["table", "json", "csv"] {
                try await ways.expectSame(["apply", "changed.yaml", "--dry-run", "--format", format])
            }
            let applied = try await ways.http.run("apply", "changed.yaml")
            #expect(applied.status == 0 && applied.out.contains("changed"), "\(applied.err)")
            #expect(try await ways.direct.json("merchants", "show", "hotel-7")["name"] == "Grander Hotel")
            try await ways.expectSame(["apply", "changed.yaml", "--format", "json"])
            let other = try await ways.http.run("apply", "travel.yaml")
            #expect(other.status == 2 && other.err.contains("over HTTP only file:"), "\(other.err)")
            try ways.direct.write("marketplace: 7", to: "wrong.yaml")
            try await ways.expectSame(["apply", "wrong.yaml"], status: 2)
            let entries = try await ways.direct.json("audit", "list", "--act", "apply").arrayValue ?? []
            #expect(entries.map { $0["actor"]?["via"] } == ["http", "direct"], "\(entries)")
        }
    }

    @Test("a break is said to be what it is", arguments: DatabaseEngine.allCases)
    func breaks(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            try await ways.counter.order("cart-a", at: ways.url, capture: "automatic")
            try await ways.counter.order("cart-b", at: ways.url, capture: "automatic")
            let report = try await HTTPCall(.get, ways.counter.psp + "/reports/settlement?account=sim", key: "").reply()
            let text = String(decoding: report.body, as: UTF8.self)
            let wrong = text.replacing("300.00", with: "299.00").replacing("30000", with: "29900")
            try #require(wrong != text, "\(text)")
            try ways.direct.write(wrong, to: "sim.csv")
            try #require(await ways.direct.run("reconcile", "sim.csv", "--psp", "sim").status == 1)
            let listed = try await ways.direct.run("breaks", "list", "--type", "amount_mismatch", "--format", "json")
            let ids = try JSON.parse(Array(listed.out.utf8)).arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            try #require(ids.count == 2, "\(listed.out)")
            for word in ["investigating", "matched"] {
                for format in ["table", "json"] where word == "investigating" || format == "json" {
                    func typed(_ id: String) -> [String] {
                        ["breaks", "resolve", id, "--as", word, "--reason", "seen", "--format", format]
                    }
                    let (direct, http) = try await ways.end(typed(ids[0]), typed(ids[1]))
                    #expect(BothWays.plain(direct.out) == BothWays.plain(http.out))
                    #expect(BothWays.plain(direct.err) == BothWays.plain(http.err))
                    #expect(direct.status == http.status)
                }
            }
            let posted = ["breaks", "resolve", ids[1], "--as", "written_off", "--reason", "agreed"]
            let key = try await ways.http.run(posted + ["--key", "env:BOOKS_KEY"])
            #expect(key.status == 2 && key.err.contains("--key is for --direct"), "\(key.err)")
        }
    }
}
