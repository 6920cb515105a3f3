package import Domain
package import SQL
import Storage

/// Pausing and resuming PSP accounts.
package struct PSPAccountDirectory: Sendable {
    private let database: any Database
    private let actor: AuditActor

    /// The PSP accounts in a database, as somebody looks after them.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

    /// Sets the status of all of them, or of none if one is unknown; of those that have it already nothing is written.
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
            try MarketplaceTable.lock(owner, in: session)
            let known = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: owner)))
            if let unknown = ids.first(where: { id in !known.contains { $0.id == id } }) {
                throw DirectoryRefusal.unknownAccount(unknown)
            }
            return try known.filter { ids.contains($0.id) }.map { account in
                guard account.status != status else { return account }
                var account = account
                account.status = status
                account.updatedAt = now
                try PSPAccountTable.setStatus(status, of: account.id, owner, at: now, in: session)
                try AuditTrailTable.record(
                    status == .paused ? .pauseAccount : .resumeAccount,
                    by: actor,
                    on: AuditSubject(.pspAccount, account.id),
                    of: owner,
                    at: now,
                    in: session
                )
                return account
            }
        }
    }
}
