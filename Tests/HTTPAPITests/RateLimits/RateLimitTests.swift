import Domain
import HTTPTransport
import Keyring
import Logging
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Requests beyond a limit", .timeLimit(.minutes(10)))
struct RateLimitTests {
    /// Two at once, and another one after a quarter of an hour: no test takes so long.
    private static let two = RateLimits.Limit(perSecond: 1, burst: 2000, instances: 1000)

    /// Lends a server that keeps such limits.
    static func serving(
        _ rates: RateLimits,
        proxies: TrustedProxies = .none,
        _ body: @Sendable (_ client: @Sendable (_ key: String?) -> APIClient, _ api: APIHarness) async throws -> Void
    ) async throws {
        try await APIHarness.with(.sqlite) { api in
            let server = APIServer(
                gateway: api.gateway,
                fingerprints: try Fingerprints(key: Keyring.makeKey()),
                limits: APIHarness.limits,
                proxies: proxies,
                rates: rates,
                logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
            )
            let result = await APIHarness.serving(server) { port in
                try await body({ key in api.client(showing: key, at: port) }, api)
            }
            try result.get()
        }
    }

    @Test("of a key are told so, in the form that is documented, and other keys are not")
    func key() async throws {
        let contract = try Contract()
        try await Self.serving(RateLimits(key: Self.two)) { client, api in
            let first = client(try await api.client("operator").key)
            let second = client(try await api.client("operator").key)
            let reply = try await first.get("/v1/orders")
            #expect(reply.status == 200)
            #expect(reply.header("RateLimit-Policy") == "\"key\";q=2;w=2000")
            #expect(reply.header("RateLimit")?.hasPrefix("\"key\";r=1;t=") == true)
            #expect(try await first.get("/v1/orders").status == 200)
            let refused = try await first.get("/v1/orders")
            #expect((refused.status, refused.code) == (429, "rate_limited"), "\(refused)")
            #expect(contract.complaints(about: refused, to: "GET /v1/orders") == [])
            #expect(refused.header("Retry-After").flatMap { Int($0) }.map { (500...1000).contains($0) } == true)
            #expect(refused.header("RateLimit")?.hasPrefix("\"key\";r=0;t=") == true)
            #expect(try await second.get("/v1/orders").status == 200)
            #expect(try await client(nil).get("/openapi.json").header("RateLimit") == nil)
        }
    }

    @Test("of an address are refused to devices with orders in Wallet, too")
    func devices() async throws {
        try await Self.serving(RateLimits(address: Self.two)) { client, _ in
            let device = client(nil)
            let body: JSON = ["logs": ["nothing"]]
            #expect(try await device.post("/wallet-orders/v1/log", body).status == 200)
            #expect(try await device.get("/wallet-orders/v1/orders/order.com.example/x").status == 401)
            let paths = [
                "/wallet-orders/v1/orders/order.com.example/x", "/wallet-orders/v1/devices/d/registrations/t",
                "/wallet-orders/links/t/x/1.0",
            ]
            for path in paths {
                let refused = try await device.get(path)
                #expect((refused.status, refused.code) == (429, "rate_limited"), "\(path) \(refused)")
            }
            #expect(try await device.post("/wallet-orders/v1/log", body).status == 429)
        }
    }

    @Test("are not those of a valid key that cannot be looked up, for a reason of ours")
    func ours() async throws {
        try await Self.serving(RateLimits(address: Self.two)) { client, api in
            let shopper = client(try await api.client("operator").key)
            try await api.database.write { session in try session.run("ALTER TABLE api_key RENAME TO api_key_away") }
            for _ in 0..<4 { #expect(try await shopper.get("/v1/orders").status == 500) }
            try await api.database.write { session in try session.run("ALTER TABLE api_key_away RENAME TO api_key") }
            #expect(try await shopper.get("/v1/orders").status == 200)
            for _ in 0..<2 { #expect(try await client("tk_test_wrong").get("/v1/orders").status == 401) }
            #expect(try await client("tk_test_wrong").get("/v1/orders").status == 429)
        }
    }

    @Test("of an address are refused, wrong keys among them, but no valid key, webhook or probe")
    func address() async throws {
        try await Self.serving(RateLimits(address: Self.two)) { client, api in
            let anonymous = client(nil)
            let valid = client(try await api.client("operator").key)
            #expect(try await anonymous.get("/openapi.json").status == 200)
            #expect(try await client("tk_wrong").get("/v1/orders").status == 401)
            for key in [nil, "tk_wrong"] {
                let refused = try await client(key).get("/v1/orders")
                #expect((refused.status, refused.code) == (429, "rate_limited"), "\(refused)")
                #expect(refused.header("RateLimit-Policy") == "\"address\";q=2;w=2000")
            }
            for path in ["/livez", "/readyz", "/metrics"] {
                let status = try await anonymous.get(path).status
                #expect(status == 200, "\(path)")
            }
            #expect(try await anonymous.post("/v1/psp/simulator/nobody/webhooks", [:]).status == 404)
            #expect(try await valid.get("/v1/orders").status == 200)
            let text = try await anonymous.get("/metrics").bytes
            let counted = String(decoding: text, as: UTF8.self)
                .contains("tributary_rate_limited_requests_total{by=\"address\"} 2")
            #expect(counted)
        }
    }

    @Test("with a publishable key, which everybody has, count for the address alone")
    func publishable() async throws {
        try await Self.serving(RateLimits(key: Self.two)) { client, api in
            let page = client(try await api.client("publishable").key)
            for _ in 1...3 {
                let reply = try await page.get("/v1/orders")
                #expect(reply.status == 403)
            }
        }
        try await Self.serving(RateLimits(address: Self.two)) { client, api in
            let page = client(try await api.client("publishable").key)
            var statuses: [Int] = []
            for _ in 1...3 { statuses.append(try await page.get("/v1/orders").status) }
            #expect(statuses == [403, 403, 429])
        }
    }

    @Test("count for whom a trusted proxy names, and for nobody where a proxy on this machine is not named")
    func proxies() async throws {
        let loopback = TrustedProxies([NetworkRange("127.0.0.1")].compactMap(\.self))
        for proxies in [loopback, TrustedProxies.none] {
            try await Self.serving(RateLimits(address: Self.two), proxies: proxies) { client, _ in
                for number in 1...3 {
                    let reply = try await client(nil).send(
                        .get,
                        "/problems",
                        headers: [HTTPHeader("X-Forwarded-For", "198.51.100.\(number)")]
                    )
                    #expect(reply.status == 200)
                }
            }
        }
    }
}
