package import Domain
package import SQL
import Storage
import StrictJSON

extension BooksRecovery {
    /// Writes down in each marketplace's audit trail that somebody recovers the books, before the first of it is done.
    ///
    /// What the books hold to be unsent is distrusted in all of them; the entry names the accounts that are asked.
    ///
    /// - Parameters:
    ///   - since: the point that the books were restored to, or a moment before it.
    ///   - accounts: the accounts that are asked.
    ///   - actor: who recovers.
    ///   - now: the real time.
    ///   - database: the books.
    /// - Throws: `SQLError`.
    package static func record(
        since: Timestamp,
        asking accounts: [PSPAccount],
        by actor: AuditActor,
        at now: Timestamp,
        in database: any Database
    ) async throws {
        try await database.write { session in
            for marketplace in try MarketplaceTable.all(in: session).map(\.id) {
                let asked = accounts.filter { $0.marketplace == marketplace }.map(\.id)
                try AuditTrailTable.record(
                    .recover,
                    by: actor,
                    on: AuditSubject(.marketplace, marketplace),
                    of: marketplace,
                    at: now,
                    ["since": .string(since.description), "psp_accounts": .strings(asked)],
                    in: session
                )
            }
        }
    }
}
