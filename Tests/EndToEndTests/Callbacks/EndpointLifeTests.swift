import StrictJSON
import Testing
import TributaryTestKit

@Suite("An endpoint's life", .timeLimit(.minutes(10)))
struct EndpointLifeTests {
    @Test("is declared, moved, left out, pruned and declared again", arguments: DatabaseEngine.allCases)
    func declared(engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            func apply(_ text: String, _ options: String...) async throws -> JSON {
                try place.write(text, to: "travel.yaml")
                return try await place.json(["apply", "travel.yaml"] + options)
            }
            func own(_ url: String, _ secret: String? = nil) -> String {
                Hooks.declaration(psp: "http://127.0.0.1:1", own: url, secret: secret)
            }
            func step(_ report: JSON, _ action: String) -> JSON? {
                report[action]?.arrayValue?.first { $0["kind"] == "marketplace_callback" }
            }
            let dry = try await apply(own("https://a.example/"), "--dry-run")
            #expect(step(dry, "created") != nil && dry["secrets"] == nil)
            let first = try await apply(own("https://a.example/"))
            #expect(step(first, "created")?["id"] == "travel" && first["secrets"]?.arrayValue?.count == 1)
            #expect(step(try await apply(own("https://a.example/")), "left_alone") != nil)
            let moved = try await apply(own("https://b.example/"))
            #expect(step(moved, "changed")?["fields"] == ["url"] && moved["secrets"] == nil)
            let referred = try await apply(own("https://b.example/", "env:ELSEWHERE"))
            #expect(step(referred, "changed")?["fields"] == ["secret"] && referred["secrets"] == nil)
            let made = try await apply(own("https://b.example/"))
            #expect(step(made, "changed")?["fields"] == ["secret"] && made["secrets"]?.arrayValue?.count == 1)

            var silent = MarketplaceFile()
            silent.baseURL = "http://127.0.0.1:1"
            #expect(step(try await apply(silent.text), "left_alone")?["status"] == nil)
            #expect(step(try await apply(silent.text, "--prune"), "paused")?["status"] == "disabled")
            let listed = try await place.json("callbacks", "endpoints")
            #expect(listed[0]?["state"] == "disabled" && listed[0]?["reason"] == "undeclared")
            let attention = try await place.run("attention", "list")
            #expect(attention.status == 1 && attention.out.contains("endpoint_disabled"), "\(attention.out)")
            let back = try await apply(own("https://b.example/"))
            #expect(step(back, "changed")?["fields"] == ["status"] && back["secrets"] == nil)
            #expect(try await place.run("attention", "list").status == 0)
        }
    }
}
