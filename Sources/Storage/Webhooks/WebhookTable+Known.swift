package import Domain
package import SQL

extension WebhookTable {
    /// An event that is in the inbox.
    package struct Known: Hashable, Sendable {
        /// Our name for it.
        package let id: WebhookID
        /// Where it stands.
        package let state: WebhookEntry.State
    }

    /// Looks events of an account up in the inbox.
    ///
    /// - Parameters:
    ///   - events: the PSP's names for events, a few hundred at most.
    ///   - account: the account.
    ///   - session: the transaction.
    /// - Returns: those that are there, by the PSP's names for them.
    /// - Throws: `SQLError`.
    package static func known(
        _ events: [String],
        at account: PSPAccount,
        in session: any Session
    ) throws(SQLError) -> [String: Known] {
        guard !events.isEmpty else { return [:] }
        let rows = try session.rows(
            """
            SELECT id, event_id, state FROM psp_webhook WHERE marketplace = \(account.marketplace)
                AND psp_account = \(account.id) AND event_id IN (\(list: events.map(\.sqlValue)))
            """
        )
        var known: [String: Known] = [:]
        for row in rows {
            known[try row.text("event_id")] = Known(id: try row.identifier("id"), state: try row.word("state"))
        }
        return known
    }
}
