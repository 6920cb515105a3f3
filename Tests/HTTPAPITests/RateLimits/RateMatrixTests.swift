import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Every operation beyond a limit", .timeLimit(.minutes(10)))
struct RateMatrixTests {
    /// What is asked by whoever looks whether the server is well, and what PSPs tell in bursts.
    private static let uncounted: Set<String> = [
        "GET /livez", "GET /readyz", "GET /metrics", "GET /v1/psp/{psp}/{account}/webhooks",
        "POST /v1/psp/{psp}/{account}/webhooks",
    ]
    /// The kinds that show no key which counts for itself: everybody who reads a page has a publishable one.
    private static let addressed: Set<APIKeyKind> = [.none, .unknown, .revoked, .expired, .publishable]
    /// One, and another after a quarter of an hour: no test takes so long.
    private static let one = RateLimits.Limit(perSecond: 1, burst: 1000, instances: 1000)

    /// What is answered of an operation, whose names in braces nothing has.
    private static func status(of row: AccessRow, _ client: APIClient) async throws -> (status: Int, code: String?) {
        let path = row.path.replacing(/\{[a-z_]+\}/, with: "x")
        let reply =
            switch row.method {
            case "POST": try await client.post(path, .object([]), key: "x")
            case "PUT": try await client.send(.put, path, body: Array("{}".utf8))
            case "DELETE": try await client.send(.delete, path)
            default: try await client.get(path)
            }
        return (reply.status, reply.code)
    }

    @Test("is refused with 429, whichever it is, and whichever kind of key is shown; probes and webhooks are not")
    func refused() async throws {
        let operations = try Contract().operations
        #expect(Set(AccessRow.all.map(\.operation)) == operations && Self.uncounted.isSubset(of: operations))
        for kind in APIKeyKind.allCases {
            let isAddressed = Self.addressed.contains(kind)
            let rates = isAddressed ? RateLimits(address: Self.one) : RateLimits(key: Self.one)
            try await RateLimitTests.serving(rates) { client, api in
                try await TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1").write(to: api.database)
                let shown = client(try await AccessMatrixTests.client(kind, api).key)
                #expect(try await Self.status(of: .keyed("GET /v1/orders", other: .shown), shown).status != 429)
                for row in AccessRow.all {
                    // An operation that asks for no key counts for the address, whatever is shown.
                    let isCounted = isAddressed ? !Self.uncounted.contains(row.operation) : !row.isOpen
                    let (status, code) = try await Self.status(of: row, shown)
                    #expect((status == 429) == isCounted, "\(row.operation) with \(kind): \(status)")
                    #expect((code == "rate_limited") == isCounted, "\(row.operation) with \(kind): \(code ?? "")")
                }
            }
        }
    }

    @Test("is answered to a valid key all the same once its address has used up its own")
    func neighbors() async throws {
        try await RateLimitTests.serving(RateLimits(address: Self.one)) { client, api in
            #expect(try await client(nil).get("/openapi.json").status == 200)
            #expect(try await client(nil).get("/openapi.json").status == 429)
            let valid = client(try await api.client("checkout", "operator", "support", "admin").key)
            for row in AccessRow.all where !row.isOpen {
                #expect(try await Self.status(of: row, valid).status != 429, "\(row.operation)")
            }
        }
    }
}
