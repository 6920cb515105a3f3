import Domain
import Foundation
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The API key of the command line", .timeLimit(.minutes(10)))
struct CommandKeyTests {
    private static func expect(_ ending: Finished, _ status: Int32 = 2, _ words: String...) {
        #expect(ending.status == status && ending.out.isEmpty, "\(ending)")
        for word in words { #expect(ending.err.contains(word), "\(word): \(ending.err)") }
    }

    @Test(
        "stands in the audit trail for what is done over HTTP, and the user for --direct",
        arguments: DatabaseEngine.allCases
    )
    func audited(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            try await ways.counter.order("cart-a", at: ways.url)
            try #require(await ways.http.run("orders", "capture", "cart-a").status == 0)
            try #require(await ways.direct.run("orders", "refund", "cart-a", "--direct").status == 0)
            // A key is there, but is not acted with.
            try #require(await ways.http.run("merchants", "pause", "hotel-7", "--direct").status == 0)
            let entries = try await ways.direct.json("audit", "list").arrayValue ?? []
            func way(_ act: String) -> [String?] {
                let actor = entries.first { $0["act"] == .string(act) }?["actor"]
                return ["kind", "via", "name"].map { actor?[$0]?.stringValue }
            }
            #expect(way("order.capture") == ["key", "http", BothWays.keyName])
            #expect(way("order.refund") == ["shell", "direct", nil])
            #expect(way("merchant.pause") == ["shell", "direct", nil])
            #expect(way("apply") == ["shell", "direct", nil])
            let events = try await ways.direct.json("orders", "events", "cart-a").arrayValue ?? []
            let actors = events.compactMap { $0["actor"]?.stringValue }
            #expect(
                actors.contains { $0.hasPrefix("key_") } && actors.contains { $0.hasPrefix("operator:") },
                "\(actors)"
            )
            let keys = try await ways.direct.json("keys", "list").arrayValue ?? []
            let used = keys.first { $0["name"] == .string(BothWays.keyName) }
            #expect(used?["last_used_at"]?.isNull == false && used?["state"] == "active", "\(keys)")
        }
    }

    @Test("or --direct is asked for by whatever acts, but by the first declaration and the first key")
    func neither() async throws {
        try await Counter.with { counter in
            var place = counter.place
            place.actsAsTyped = true
            for typed in [
                ["orders", "capture", "x"], ["merchants", "pause", "hotel-7"], ["apply", "travel.yaml"],
                ["keys", "create", "--scope", "support"], ["test-clock", "advance", "--by-seconds", "1"],
                ["callbacks", "replay", "--state", "dead"], ["webhooks", "replay", "whk_00000000000000000000000000"],
            ] {
                Self.expect(try await place.run(typed), 2, "say how to act: set TRIBUTARY_API_KEY", "--direct")
            }
        }
        try await Workplace.withDatabase { place in
            var place = place
            place.actsAsTyped = true
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            #expect(try await place.run("apply", "travel.yaml").status == 0)
            #expect(try await place.run("apply", "travel.yaml").status == 0)
            let first = try await place.json("keys", "create", "--scope", "admin")
            Self.expect(try await place.run("keys", "create", "--scope", "admin"), 2, "say how to act")
            let id = try #require(first["id"]?.stringValue)
            #expect(try await place.run("keys", "revoke", id, "--direct").status == 0)
            // No key opens the database any more.
            #expect(try await place.run("keys", "create", "--scope", "admin").status == 0)
        }
    }

    @Test(
        "that is wrong, lacks a scope, is revoked, over or not for here is refused, and nothing is done",
        arguments: DatabaseEngine.allCases
    )
    func refused(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            let (place, act) = (ways.direct, ["merchants", "pause", "hotel-7"])
            func acting(_ key: String) async throws -> Finished {
                try await place.acting(with: key, at: ways.url).run(act)
            }
            Self.expect(
                try await acting("tk_test_" + String(repeating: "0", count: 64)),
                2,
                "refuses the API key: invalid_api_key"
            )
            let support = try await BothWays.key(place, "support")
            Self.expect(try await acting(support), 2, "insufficient_scope: the key needs the scope operator for this")
            let far = try await BothWays.key(place, "operator", more: ["--network", "192.0.2.0/24"])
            Self.expect(try await acting(far), 2, "network_not_allowed")
            let short = try await BothWays.key(
                place,
                "operator",
                named: "short",
                more: ["--expires", "2999-01-01T00:00:00Z"]
            )
            #expect(try await acting(short).status == 0)
            let keys = try await place.json("keys", "list").arrayValue ?? []
            let id = try #require(keys.first { $0["name"] == "short" }?["id"]?.stringValue)
            let again = try await ways.http.run("keys", "revoke", id)
            #expect(again.status == 0 && again.err == "revoked \(id)\n", "\(again.err)")
            Self.expect(try await acting(short), 2, "invalid_api_key")
            Self.expect(try await ways.http.run("keys", "revoke", id), 1, "that is not revoked")
            let other = try await ways.http.run(act + ["--marketplace", "cruises"])
            Self.expect(other, 2, "the API key is for the marketplace travel, not for cruises")
            #expect(try await ways.http.run(act + ["--marketplace", "travel"]).status == 0)
        }
    }

    @Test("whose time is over is refused as that, and doctor warns before", arguments: DatabaseEngine.allCases)
    func expires(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            let soon = ["--expires", Self.moment(inSeconds: 3 * 86_400)]
            _ = try await BothWays.key(ways.direct, "support", named: "soon", more: soon)
            _ = try await BothWays.key(
                ways.direct,
                "support",
                named: "late",
                more: ["--expires", "2999-01-01T00:00:00Z"]
            )
            let doctor = try await ways.direct.run("doctor")
            #expect(doctor.out.contains("(soon) ends at") && doctor.out.contains("never used"), "\(doctor.out)")
            #expect(!doctor.out.contains("(late)"), "\(doctor.out)")
            let over = ["--expires", Self.moment(inSeconds: 5)]
            let key = try await BothWays.key(ways.direct, "operator", named: "short", more: over)
            let place = ways.direct.acting(with: key, at: ways.url)
            let limit = ContinuousClock.now + .patience
            var ending = try await place.run("merchants", "resume", "hotel-7")
            while ending.status == 0 {
                try #require(ContinuousClock.now < limit)
                try await Task.sleep(for: .milliseconds(300))
                ending = try await place.run("merchants", "resume", "hotel-7")
            }
            Self.expect(ending, 2, "expired_api_key: the time of the API key was over at")
            let keys = try await ways.direct.json("keys", "list").arrayValue ?? []
            #expect(keys.first { $0["name"] == "short" }?["state"] == "expired", "\(keys)")
        }
    }

    @Test("goes nowhere in the clear but to this machine, and not beside --database")
    func addresses() async throws {
        try await Workplace.with { place in
            let away = place.acting(with: "tk_test_0", at: "http://192.0.2.7:8080")
            Self.expect(try await away.run("orders", "capture", "x"), 2, "would send the API key in the clear")
            let wrong = place.acting(with: "tk_test_0", at: "ftp://localhost")
            Self.expect(try await wrong.run("orders", "capture", "x"), 2, "is no address of a server")
            let both = ["orders", "capture", "x", "--database", "sqlite:books.sqlite"]
            Self.expect(try await away.run(both), 2, "--database is for --direct")
            let port = try await FreePort.find()
            let silent = place.acting(with: "tk_test_0", at: "http://127.0.0.1:\(port)")
            Self.expect(try await silent.run("merchants", "pause", "x"), 2, "did not answer", "nothing was done")
            try place.write("tk_test_0\n", to: "key.txt")
            let kept = place.acting(with: "file:\(place.path("key.txt"))", at: "http://127.0.0.1:\(port)")
            Self.expect(try await kept.run("orders", "capture", "x"), 2, "did not answer")
        }
    }

    private static func moment(inSeconds seconds: Int64) -> String {
        let now = Int64(Date().timeIntervalSince1970) + seconds
        return Timestamp(microseconds: now * 1_000_000).description
    }
}
