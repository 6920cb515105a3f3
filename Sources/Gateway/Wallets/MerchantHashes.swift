package import Domain
package import SQL
package import Storage
import StrictJSON

/// Deciding whose the hashes in multi-merchant tokens are.
package struct MerchantHashes: Sendable {
    private let database: any Database
    private let actor: AuditActor

    /// The hashes in a database, as somebody decides on them.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

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
            let owner = try choice.marketplace(in: session)
            let isDecided = try MerchantHashTable.decide(
                hash,
                of: merchantIdentifier,
                marketplace: owner,
                state: state,
                at: now,
                in: session
            )
            guard isDecided else { return false }
            try AuditTrailTable.record(
                .decideMerchantHash,
                by: actor,
                on: AuditSubject(.merchantHash, hash),
                of: owner,
                at: now,
                ["merchant_identifier": .string(merchantIdentifier), "state": .string(state.rawValue)],
                in: session
            )
            return true
        }
    }
}
