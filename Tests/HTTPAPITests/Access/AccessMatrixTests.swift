import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Every operation and every kind of key", .timeLimit(.minutes(10)))
struct AccessMatrixTests {
    /// A body that the operation understands but for those that would make something.
    private static func body(of operation: String) -> JSON {
        if operation.hasSuffix("/refunds") { return ["amount": 1, "allocate": "proportional"] }
        if operation.hasSuffix("/wait") { return ["timeout_ms": 1] }
        if operation.hasSuffix("/payouts/{id}/fail") { return ["reason": "account closed"] }
        if operation.hasSuffix("/breaks/{id}/resolve") { return ["as": "investigating", "reason": "looking"] }
        if operation.hasSuffix("/callback-endpoints/{id}") { return ["url": "https://hooks.example/new"] }
        // Says nothing of what is to be delivered again.
        if operation.hasSuffix("/v1/callbacks/replay") { return .object([]) }
        let requests = [
            "/capture", "/release", "/cancel", "/complete", "/retry", "/pause", "/resume", "/enable", "/test",
            "/replay", "/rotate", "/revoke", "/end",
        ]
        return requests.contains { operation.hasSuffix($0) } ? .object([]) : ["nonsense": 1]
    }

    /// A client that shows a key of that kind, or none.
    static func client(_ kind: APIKeyKind, _ api: APIHarness) async throws -> APIClient {
        switch kind {
        case .none: api.anonymous
        case .unknown: api.client(showing: "tk_" + String(repeating: "0", count: 64))
        case .revoked: try await revoked(api)
        case .expired: try await api.client("checkout", "operator", until: api.clock.now())
        case .otherMarketplace: try await api.client("checkout", "operator", of: "other")
        case .checkout, .support, .operator, .adjuster, .admin, .publishable: try await api.client(kind.rawValue)
        case .twoMerchants: try await api.client("merchant:airline", "merchant:hotel")
        case .itsMerchant: try await api.client("merchant:airline")
        case .anotherMerchant: try await api.client("merchant:hotel")
        }
    }

    private static func revoked(_ api: APIHarness) async throws -> APIClient {
        let client = try await api.client("checkout", "operator", "gone")
        let now = api.clock.now()
        let isRevoked = try await api.database.write { session in
            guard let key = try APIKeyTable.all(in: session).first(where: { $0.scopes.contains("gone") }) else {
                return false
            }
            return try APIKeyTable.revoke(key.id, at: now, in: session)
        }
        #expect(isRevoked)
        return client
    }

    @Test("has a row for each operation of the document, and for no other")
    func complete() throws {
        let rows = AccessRow.all.map(\.operation)
        #expect(Set(rows) == (try Contract()).operations)
        #expect(rows.count == Set(rows).count)
    }

    @Test("answers as the table has it", arguments: DatabaseEngine.allCases)
    func matrix(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let elsewhere = TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1")
            try await elsewhere.write(to: api.database)
            let stage = try await AccessStage(api)
            for kind in APIKeyKind.allCases {
                let client = try await Self.client(kind, api)
                for row in AccessRow.all {
                    let isPlacing = row.operation == "POST /v1/orders"
                    let path = stage.path(of: row.path)
                    let body = Self.body(of: row.operation)
                    let reply =
                        switch row.method {
                        case "POST":
                            try await client.post(
                                path,
                                body,
                                key: isPlacing ? nil : "\(kind) \(path)".filter { $0 != " " }
                            )
                        case "PUT":
                            try await client.send(
                                .put,
                                path,
                                headers: [HTTPHeader("Content-Type", "application/json")],
                                body: body.bytes
                            )
                        case "DELETE": try await client.send(.delete, path)
                        default: try await client.get(path)
                        }
                    #expect(row.expected(kind).isMet(by: reply.status), "\(row.operation) with \(kind): \(reply)")
                }
            }
        }
    }
}
