import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Every operation and every kind of key", .timeLimit(.minutes(1)))
struct AccessMatrixTests {
    /// What paths are filled with.
    private struct Place {
        let order: String
        let payment: String
        let refund: String
        let merchant: String

        /// The operation's path, about the airline's part of the order.
        func path(of operation: String) -> String {
            let template = operation.split(separator: " ").last.map(String.init) ?? ""
            let id =
                switch template {
                case let text where text.hasPrefix("/v1/orders/"): order
                case let text where text.hasPrefix("/v1/payments/"): payment
                case let text where text.hasPrefix("/v1/refunds/"): refund
                case let text where text.hasPrefix("/v1/merchants/"): merchant
                default: "prq_00000000000000000000000000"
                }
            let path = template.replacing("{id}", with: id).replacing("{psp}", with: "simulator")
                .replacing("{account}", with: "nobody").replacing("{file}", with: "nothing.json")
                .replacing("{code}", with: "nothing")
            return template.hasSuffix("/statement") ? path + "?currency=USD" : path
        }

        /// A body that the operation understands but for those that would make something.
        func body(of operation: String) -> JSON {
            if operation.hasSuffix("/refunds") { return ["amount": 1, "allocate": "proportional"] }
            if operation.hasSuffix("/wait") { return ["timeout_ms": 1] }
            let isRequest = ["/capture", "/release", "/cancel", "/complete"].contains { operation.hasSuffix($0) }
            return isRequest ? .object([]) : ["nonsense": 1]
        }
    }

    private static func client(_ kind: APIKeyKind, _ api: APIHarness) async throws -> APIClient {
        switch kind {
        case .none: api.anonymous
        case .unknown: api.client(showing: "tk_" + String(repeating: "0", count: 64))
        case .revoked: try await revoked(api)
        case .expired: try await api.client("checkout", "operator", until: api.clock.now())
        case .otherMarketplace: try await api.client("checkout", "operator", of: "other")
        case .checkout: try await api.client("checkout")
        case .operator: try await api.client("operator")
        case .adjuster: try await api.client("adjuster")
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
            let stage = try await OrderStage(api)
            let refund = try await stage.ask("refunds", ["amount": 100, "allocate": "proportional"], key: "first")
            let merchants = TestMarketplace.travel.merchants
            let airline = try await api.database.read { session in
                try MerchantTable.find([merchants[0].externalIdentifier], of: "travel", in: session).first
            }
            let place = Place(
                order: stage.order,
                payment: stage.payments[0],
                refund: try #require(refund.json["id"]?.stringValue, "\(refund)"),
                merchant: try #require(airline).id.text
            )
            for kind in APIKeyKind.allCases {
                let client = try await Self.client(kind, api)
                for row in AccessRow.all {
                    let isPost = row.operation.hasPrefix("POST ")
                    let isPlacing = row.operation == "POST /v1/orders"
                    let path = place.path(of: row.operation)
                    let reply =
                        isPost
                        ? try await client.post(
                            path,
                            place.body(of: row.operation),
                            key: isPlacing ? nil : "\(kind) \(path)".filter { $0 != " " }
                        ) : try await client.get(path)
                    #expect(row.expected(kind).isMet(by: reply.status), "\(row.operation) with \(kind): \(reply)")
                }
            }
        }
    }
}
