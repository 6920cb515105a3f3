import Gateway
import Testing
import TributaryTestKit

@Suite("A server that is told to end", .timeLimit(.minutes(10)))
struct DrainingTests {
    @Test("has whoever keeps a connection open go elsewhere with the next request, before it closes it")
    func connections() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("operator")
            for path in ["/v1/orders", "/livez", "/nowhere"] {
                #expect(try await client.get(path).header("Connection") == nil, "\(path)")
            }
            api.gateway.readiness.drain()
            for path in ["/v1/orders", "/livez", "/readyz", "/nowhere"] {
                #expect(try await client.get(path).header("Connection") == "close", "\(path)")
            }
            #expect(try await client.get("/v1/orders").status == 200)
        }
    }
}
