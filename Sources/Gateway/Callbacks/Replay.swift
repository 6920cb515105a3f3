package import Domain
package import SQL
package import Storage

/// Delivering callbacks again, under the same identifiers, as if they had just been written down.
package struct CallbackReplay: Sendable {
    private static let atOnce = 1_000

    private let database: any Database
    private let isDryRun: Bool

    /// A replay in a database; a dry run only counts.
    package init(_ database: any Database, isDryRun: Bool = false) {
        self.database = database
        self.isDryRun = isDryRun
    }

    /// Replays those, or none if one is unknown, and answers how many.
    ///
    /// - Throws: ``DirectoryRefusal/unknownCallback(_:)``, or `SQLError`.
    package func replay(_ ids: [CallbackID], at now: Timestamp) async throws -> Int {
        try await database.write { session in
            for id in ids where try CallbackTable.find(id, in: session) == nil {
                throw DirectoryRefusal.unknownCallback(id)
            }
            if !isDryRun { try CallbackTable.replay(ids, at: now, in: session) }
            return ids.count
        }
    }

    /// Goes through all that pass a filter from the oldest on, some at a time, so that delivering goes on meanwhile, and
    /// answers how many.
    ///
    /// - Throws: `SQLError`.
    package func replay(_ filter: CallbackTable.Filter, at now: Timestamp) async throws -> Int {
        var filter = filter
        // What is written down from now on is due by itself.
        filter.until = min(filter.until ?? now, now)
        let wanted = filter
        var (count, last) = (0, CallbackID?.none)
        while true {
            let after = last
            let some = try await database.write { session in
                isDryRun
                    ? try CallbackTable.next(wanted, after: after, limit: Self.atOnce, in: session)
                    : try CallbackTable.replay(wanted, after: after, limit: Self.atOnce, at: now, in: session)
            }
            count += some.count
            last = some.last
            if some.count < Self.atOnce { return count }
        }
    }
}

/// Letting an event of a PSP be told to its order again, by the next serving instance that looks.
package struct WebhookReplay: Sendable {
    private let database: any Database

    /// A replay in a database.
    package init(_ database: any Database) { self.database = database }

    /// Makes an event due again, as if it had just come.
    ///
    /// - Returns: the event as it was before; nil if there is none.
    /// - Throws: `SQLError`.
    package func replay(_ id: WebhookID, at now: Timestamp) async throws -> WebhookEntry? {
        try await database.write { session in
            guard let entry = try WebhookTable.find(id, in: session) else { return nil }
            return try WebhookTable.replay(id, at: now, in: session) ? entry : nil
        }
    }
}
