import Testing
import TributaryTestKit

@Suite("The keys of TLS connections", .timeLimit(.minutes(10)))
struct KeyLogTests {
    @Test("are written into no file, whatever SSLKEYLOGFILE says")
    func ignored() async throws {
        let authority = try TestAuthority()
        let server = try TLSServer(authority.issue(.localhost))
        defer { server.stop() }
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
            place.environment["HOOK_SECRET"] = Hooks.secret
            place.environment["SSLKEYLOGFILE"] = place.path("keys.log")
            let url = "https://localhost:\(server.port)/"
            try place.write(
                """
                marketplace: { id: travel, name: T, callback: { url: "\(url)", secret: "env:HOOK_SECRET" } }
                psp_accounts: [{ id: sim, psp: simulator, base_url: "http://127.0.0.1:1", credentials: { api_key: "env:SIM_KEY" } }]
                merchants: [{ external_identifier: a, name: A, routes: [{ psp_account: sim }] }]
                """,
                to: "travel.yaml"
            )
            _ = try await place.json("apply", "travel.yaml")
            // Shakes hands with the server, whose certificate nobody here has signed.
            #expect(try await place.run("doctor", "--format", "json").status == 1)
            #expect(!place.has("keys.log"))
        }
    }
}
