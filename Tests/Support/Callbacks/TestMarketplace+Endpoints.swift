import Domain
package import SQL
import Storage

extension TestMarketplace {
    /// Gives the marketplace and each of its merchants an endpoint, so that what they are told is written down.
    ///
    /// - Throws: `SQLError`.
    package func listen(in database: any Database) async throws {
        var ids = IdentifierSource()
        let moment = Timestamp(microseconds: 1_700_000_000_000_000)
        let endpoints = ([nil] + merchants.map { Optional($0.id) }).map { owner in
            CallbackEndpoint(
                id: ids.make(at: moment),
                marketplace: id,
                merchant: owner,
                url: "https://hooks.example/",
                secrets: CallbackSecrets(.reference("env:SECRET")),
                createdAt: moment
            )
        }
        try await database.write { session in
            for endpoint in endpoints { try CallbackEndpointTable.save(endpoint, in: session) }
        }
    }
}
