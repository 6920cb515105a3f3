import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Every answer", .timeLimit(.minutes(10)))
struct SecurityHeaderTests {
    @Test(
        "tells browsers not to guess, keep, tell on or run it",
        arguments: ["/livez", "/openapi.json", "/v1/orders", "/v1/nothing", "/metrics"]
    )
    func headers(_ path: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let reply = try await api.anonymous.get(path)
            #expect(reply.header("X-Content-Type-Options") == "nosniff")
            #expect(reply.header("Cache-Control") == "no-store")
            #expect(reply.header("Referrer-Policy") == "no-referrer")
            #expect(reply.header("Content-Security-Policy") == "default-src 'none'; frame-ancestors 'none'")
        }
    }

    @Test("about being ready says no if the tables cannot be read", arguments: DatabaseEngine.allCases)
    func notReady(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            try await api.database.write { try $0.run("ALTER TABLE schema_migration RENAME TO elsewhere") }
            let reply = try await api.anonymous.get("/readyz")
            #expect((reply.status, reply.code) == (503, "not_ready"), "\(reply)")
            #expect(try await api.anonymous.get("/livez").status == 200)
        }
    }
}
