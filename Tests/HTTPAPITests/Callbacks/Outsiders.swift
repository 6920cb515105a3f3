import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

/// The travel agency and two of its merchants, who hear what is written down for them.
struct Outsiders {
    let api: APIHarness
    private let agency: EndpointID
    private let merchants: [String: EndpointID]

    /// Gives the agency, the airline and the hotel an endpoint; the taxi has none.
    init(_ api: APIHarness) async throws {
        self.api = api
        var ids = IdentifierSource()
        let now = api.clock.now()
        let known = try await api.database.read { session in
            try MerchantTable.find(["airline", "hotel"], of: "travel", in: session)
        }
        func endpoint(of merchant: MerchantID?) -> CallbackEndpoint {
            CallbackEndpoint(
                id: ids.make(at: now),
                marketplace: "travel",
                merchant: merchant,
                url: "https://hooks.example/",
                secrets: CallbackSecrets(.reference("env:SECRET")),
                createdAt: now
            )
        }
        let own = endpoint(of: nil)
        let others = known.map { ($0.externalIdentifier, endpoint(of: $0.id)) }
        try await api.database.write { session in
            for endpoint in [own] + others.map(\.1) { try CallbackEndpointTable.save(endpoint, in: session) }
        }
        agency = own.id
        merchants = Dictionary(uniqueKeysWithValues: others.map { ($0.0, $0.1.id) })
    }

    /// What one of them has been told, oldest first; the agency for nil.
    func heard(_ merchant: String? = nil) async throws -> [StoredCallback] {
        var filter = CallbackTable.Filter(marketplace: "travel")
        filter.endpoint = try merchant.map { try #require(merchants[$0]) } ?? agency
        let wanted = filter
        return try await api.database.read { session in
            try CallbackTable.list(wanted, limit: 1000, in: session).reversed()
        }
    }

    /// The documents that one of them has been told.
    func payloads(_ merchant: String? = nil) async throws -> [JSON] {
        try await heard(merchant).map { try JSON.parse(text: $0.content.payload) }
    }
}
