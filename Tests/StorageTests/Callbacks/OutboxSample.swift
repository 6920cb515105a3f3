import Domain
import SQL
import Storage
import TributaryTestKit

/// Endpoints of the travel agency and callbacks for them.
struct OutboxSample {
    static let now = Timestamp(microseconds: 1_800_000_000_123_456)
    private var ids = IdentifierSource()

    /// An endpoint of a merchant, of the agency itself for nil.
    mutating func endpoint(of merchant: MerchantID? = nil, url: String = "https://hooks.example/a") -> CallbackEndpoint
    {
        CallbackEndpoint(
            id: ids.make(at: Self.now),
            marketplace: "travel",
            merchant: merchant,
            url: url,
            secrets: CallbackSecrets(.reference("env:SECRET")),
            createdAt: Self.now
        )
    }

    /// A new identifier of whatever kind is wanted.
    mutating func make<Tag>() -> Identifier<Tag> { ids.make(at: Self.now) }

    /// A callback for the endpoint of a merchant, or of the agency.
    mutating func callback(
        for merchant: MerchantID? = nil,
        order: OrderID? = nil,
        type: String = "order.accepted",
        at time: Timestamp = now
    ) -> NewCallback {
        NewCallback(
            id: ids.make(at: time),
            marketplace: "travel",
            merchant: merchant,
            order: order,
            payment: nil,
            type: type,
            sequence: 1,
            payload: #"{"type":"order.accepted","name":"Zürich \"✈︎\""}"#,
            at: time
        )
    }

    /// Lends a database with the agency's endpoint and `merchants` of merchants', each with so many callbacks due.
    static func withEndpoints(
        _ engine: DatabaseEngine,
        merchants: Int = 0,
        callbacks: Int = 0,
        _ body: (any Database, [CallbackEndpoint], [NewCallback]) async throws -> Void
    ) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var sample = OutboxSample()
            let owners = [nil] + TestMarketplace.travel.merchants.prefix(merchants).map { Optional($0.id) }
            let endpoints = owners.map { sample.endpoint(of: $0) }
            let written = owners.flatMap { owner in (0..<callbacks).map { _ in sample.callback(for: owner) } }
            try await database.write { session in
                for endpoint in endpoints { try CallbackEndpointTable.save(endpoint, in: session) }
                try Outbox.insert(written, in: session)
            }
            try await body(database, endpoints, written)
        }
    }
}
