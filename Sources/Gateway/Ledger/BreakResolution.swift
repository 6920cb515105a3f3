package import Domain
package import SQL
package import Storage
import StrictJSON

/// Saying what became of a difference between files and books.
package struct BreakResolution: Sendable {
    private let database: any Database
    private let actor: AuditActor

    /// Resolves in a database, as somebody wants it.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

    /// Writes down what became of a break.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - choice: whose.
    ///   - state: what it becomes.
    ///   - reason: why, in a line.
    ///   - person: who says so.
    ///   - hash: that of the API key that is shown, which then has to have the scope `adjuster`; nil for none.
    ///   - now: the database's time.
    /// - Returns: the break as it is now.
    /// - Throws: `BreakRefusal`, ``DirectoryRefusal``, or `SQLError`.
    package func resolve(
        _ id: BreakID,
        of choice: MarketplaceChoice,
        as state: BreakState,
        because reason: String,
        by person: String,
        with hash: String?,
        at now: Timestamp
    ) async throws -> StoredBreak {
        guard !state.isPosted || hash != nil else { throw DirectoryRefusal.keyLacksScope("adjuster") }
        return try await database.write { session in
            let owner = try choice.marketplace(in: session)
            let key = try hash.map { hash in
                try APIKeys.require(.adjuster, hash: hash, of: owner, at: now, in: session)
            }
            let decision = try BreakDecision(
                state,
                by: key.map { "\(person) with \($0.id)" } ?? person,
                because: reason
            )
            let showing = key.map { actor.showing($0.id) } ?? actor
            return try Self.write(decision, on: id, of: owner, by: showing, at: now, in: session)
        }
    }

    /// Writes down what became of a break, as a request says whose key was looked at: who posts, has the scope `adjuster`.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - marketplace: whose.
    ///   - state: what it becomes.
    ///   - reason: why, in a line.
    ///   - now: the database's time.
    /// - Returns: the break as it is now.
    /// - Throws: `BreakRefusal`, or `SQLError`.
    package func resolve(
        _ id: BreakID,
        of marketplace: String,
        as state: BreakState,
        because reason: String,
        at now: Timestamp
    ) async throws -> StoredBreak {
        let decision = try BreakDecision(state, by: actor.id, because: reason)
        return try await database.write { session in
            try Self.write(decision, on: id, of: marketplace, by: actor, at: now, in: session)
        }
    }

    private static func write(
        _ decision: BreakDecision,
        on id: BreakID,
        of marketplace: String,
        by actor: AuditActor,
        at now: Timestamp,
        in session: any Session
    ) throws -> StoredBreak {
        guard let found = try BreakTable.show(id, of: marketplace, in: session)?.difference else {
            throw BreakRefusal.unknown(id)
        }
        var ids = IdentifierSource()
        try AuditTrailTable.record(
            .resolveBreak,
            by: actor,
            on: AuditSubject(.difference, id.text),
            of: marketplace,
            at: now,
            ["from": .string(found.state.rawValue), "to": .string(decision.state.rawValue)],
            in: session
        )
        return try BreakTable.act(
            decision,
            on: id,
            seenAs: found.state,
            of: marketplace,
            at: now,
            ids: &ids,
            in: session
        )
    }
}
