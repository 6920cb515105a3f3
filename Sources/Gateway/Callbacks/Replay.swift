package import Domain
package import SQL
package import Storage
import StrictJSON

/// Delivering callbacks again, under the same identifiers, as if they had just been written down.
package struct CallbackReplay: Sendable {
    private static let atOnce = 1_000

    private let database: any Database
    private let actor: AuditActor
    private let isDryRun: Bool

    /// A replay in a database, as somebody wants it; a dry run only counts.
    package init(_ database: any Database, by actor: AuditActor, isDryRun: Bool = false) {
        self.database = database
        self.actor = actor
        self.isDryRun = isDryRun
    }

    /// Replays those, or none if one is unknown, and answers how many.
    ///
    /// - Throws: ``DirectoryRefusal/unknownCallback(_:)``, or `SQLError`.
    package func replay(_ ids: [CallbackID], at now: Timestamp) async throws -> Int {
        try await database.write { session in
            let found = try ids.map { id in
                guard let known = try CallbackTable.find(id, in: session) else {
                    throw DirectoryRefusal.unknownCallback(id)
                }
                return known
            }
            guard !isDryRun else { return ids.count }
            try CallbackTable.replay(ids, at: now, in: session)
            for callback in found {
                let subject = AuditSubject(.callback, callback.content.id.text)
                try record(subject, of: callback.content.marketplace, at: now, count: 1, in: session)
            }
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
                guard !isDryRun else {
                    return try CallbackTable.next(wanted, after: after, limit: Self.atOnce, in: session)
                }
                let some = try CallbackTable.replay(wanted, after: after, limit: Self.atOnce, at: now, in: session)
                try record(some, of: wanted, at: now, in: session)
                return some
            }
            count += some.count
            last = some.last
            if some.count < Self.atOnce { return count }
        }
    }

    /// Writes down that callbacks which pass a filter are delivered again: an entry for each marketplace that has some.
    private func record(
        _ some: [CallbackID],
        of filter: CallbackTable.Filter,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        var counts: [String: Int] = [:]
        if let marketplace = filter.marketplace {
            counts[marketplace] = some.count
        } else {
            for id in some {
                guard let found = try CallbackTable.find(id, in: session) else { continue }
                counts[found.content.marketplace, default: 0] += 1
            }
        }
        for (marketplace, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
            let subject = filter.endpoint.map { AuditSubject(.endpoint, $0.text) }
            try record(
                subject ?? AuditSubject(.marketplace, marketplace),
                of: marketplace,
                at: now,
                count: count,
                in: session
            )
        }
    }

    private func record(
        _ subject: AuditSubject,
        of marketplace: String,
        at now: Timestamp,
        count: Int,
        in session: any Session
    ) throws(SQLError) {
        try AuditTrailTable.record(
            .replayCallbacks,
            by: actor,
            on: subject,
            of: marketplace,
            at: now,
            ["callbacks": .integer(Int64(count))],
            in: session
        )
    }
}

/// Letting an event of a PSP be told to its order again, by the next serving instance that looks.
package struct WebhookReplay: Sendable {
    private let database: any Database
    private let actor: AuditActor

    /// A replay in a database, as somebody wants it.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

    /// Makes an event due again, as if it had just come.
    ///
    /// - Returns: the event as it was before; nil if there is none.
    /// - Throws: `SQLError`.
    package func replay(_ id: WebhookID, at now: Timestamp) async throws -> WebhookEntry? {
        try await database.write { session in
            guard let entry = try WebhookTable.find(id, in: session) else { return nil }
            guard try WebhookTable.replay(id, at: now, in: session) else { return nil }
            try AuditTrailTable.record(
                .replayWebhook,
                by: actor,
                on: AuditSubject(.webhook, id.text),
                of: entry.marketplace,
                at: now,
                in: session
            )
            return entry
        }
    }
}
