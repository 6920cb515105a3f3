package import Domain
package import SQL
import Storage

/// Pausing and resuming PSP accounts.
package struct PSPAccountDirectory: Sendable {
    private let database: any Database

    /// The PSP accounts in a database.
    package init(_ database: any Database) { self.database = database }

    /// Sets the status of all of them, or of none if one is unknown.
    ///
    /// - Returns: the accounts as they are now.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func setStatus(
        _ status: Merchant.Status,
        of ids: [String],
        in choice: MarketplaceChoice,
        at now: Timestamp
    ) async throws -> [PSPAccount] {
        try await database.write { session in
            let owner = try choice.marketplace(in: session)
            let known = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: owner)))
            if let unknown = ids.first(where: { id in !known.contains { $0.id == id } }) {
                throw DirectoryRefusal.unknownAccount(unknown)
            }
            return try known.filter { ids.contains($0.id) }.map { account in
                var account = account
                account.status = status
                account.updatedAt = now
                try PSPAccountTable.save(account, in: session)
                return account
            }
        }
    }
}
