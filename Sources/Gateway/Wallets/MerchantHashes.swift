package import Domain
package import SQL
package import Storage

/// Deciding whose the hashes in multi-merchant tokens are.
package struct MerchantHashes: Sendable {
    private let database: any Database

    /// The hashes in a database.
    package init(_ database: any Database) { self.database = database }

    /// Writes down what a person decided of a hash and a merchant identifier; false if there is no such row.
    ///
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func decide(
        _ hash: String,
        of merchantIdentifier: String,
        in choice: MarketplaceChoice,
        _ state: MerchantHashTable.State,
        at now: Timestamp
    ) async throws -> Bool {
        try await database.write { session in
            try MerchantHashTable.decide(
                hash,
                of: merchantIdentifier,
                marketplace: choice.marketplace(in: session),
                state: state,
                at: now,
                in: session
            )
        }
    }
}
