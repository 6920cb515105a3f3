import Domain
import SQL
import Storage

/// An endpoint as it is stored, with what waits there.
struct StoredEndpoint: Hashable, Sendable {
    /// The endpoint.
    let endpoint: CallbackEndpoint
    /// What people call its owner: the marketplace's id, or a merchant's external identifier.
    let name: String
    /// How many callbacks wait.
    let waiting: Int64
    /// How many dead letters there are.
    let dead: Int64
    /// When the oldest of those that wait was written down.
    let oldestWaiting: Timestamp?

    /// Those of a marketplace.
    ///
    /// - Throws: `SQLError`.
    static func all(of marketplace: String, in session: any Session) throws -> [StoredEndpoint] {
        let endpoints = try CallbackEndpointTable.all(of: marketplace, in: session)
        guard !endpoints.isEmpty else { return [] }
        let names = try MerchantNames.of(endpoints, in: session)
        let counts = try CallbackStatistics.counts(of: marketplace, in: session)
        let oldest = try CallbackStatistics.oldestWaiting(of: marketplace, in: session)
        return endpoints.map { endpoint in
            StoredEndpoint(
                endpoint: endpoint,
                name: endpoint.merchant.map { names[$0] ?? $0.text } ?? marketplace,
                waiting: counts[endpoint.id]?.waiting ?? 0,
                dead: counts[endpoint.id]?.dead ?? 0,
                oldestWaiting: oldest[endpoint.id]
            )
        }
    }
}
