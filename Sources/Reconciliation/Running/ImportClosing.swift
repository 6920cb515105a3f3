import Domain
import SQL
import Storage

/// The end of a run: one transaction in which all of its files come to count.
struct ImportClosing {
    let database: any Database
    let request: ReconciliationRequest
    let run: BreakRun

    /// Makes files count, posts what they settle, and closes breaks that are explained.
    ///
    /// - Parameters:
    ///   - completions: the files.
    ///   - accounts: the PSP accounts all of whose expectations were looked at.
    /// - Returns: how many breaks were closed because they were not found again, and how many entries were posted.
    /// - Throws: ``ReconciliationRefusal/disturbed`` or `SQLError`.
    func finish(
        _ completions: [ImportCompletion],
        accounts: [PSPAccountName]
    ) async throws -> (breaks: Int, entries: Int) {
        let now = Timestamp(microseconds: try await database.now())
        let (marketplace, run, scope) = (request.marketplace, run, request.scope)
        let days = (scope.from?.description ?? "0000-01-01")...(scope.to?.description ?? "9999-12-31")
        do {
            return try await database.write { session in
                var ids = IdentifierSource()
                let entries = try ImportCompletion.finish(
                    completions,
                    run: run,
                    of: marketplace,
                    at: now,
                    ids: &ids,
                    in: session
                )
                var closed = 0
                for account in accounts where !run.asOf.isEmpty {
                    closed += try BreakTable.closeUnseen(
                        [.late, .missingAtPSP],
                        pspAccount: account.account,
                        days: days,
                        run,
                        of: marketplace,
                        at: now,
                        ids: &ids,
                        in: session
                    )
                }
                return (closed, entries.count)
            }
        } catch ImportRefusal.overtaken, ImportRefusal.disturbed, ImportRefusal.notImporting {
            throw ReconciliationRefusal.disturbed
        }
    }
}
