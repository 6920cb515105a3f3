package import Domain
package import SQL
package import Storage

/// Saying what became of a difference between files and books.
package struct BreakResolution: Sendable {
    private let database: any Database

    /// Resolves in a database.
    package init(_ database: any Database) { self.database = database }

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
            return try Self.write(decision, on: id, of: owner, at: now, in: session)
        }
    }

    /// Writes down what became of a break, as a request says whose key was looked at: who posts, has the scope `adjuster`.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - marketplace: whose.
    ///   - state: what it becomes.
    ///   - reason: why, in a line.
    ///   - caller: who says so.
    ///   - now: the database's time.
    /// - Returns: the break as it is now.
    /// - Throws: `BreakRefusal`, or `SQLError`.
    package func resolve(
        _ id: BreakID,
        of marketplace: String,
        as state: BreakState,
        because reason: String,
        by caller: Caller,
        at now: Timestamp
    ) async throws -> StoredBreak {
        let decision = try BreakDecision(state, by: caller.actor, because: reason)
        return try await database.write { session in
            try Self.write(decision, on: id, of: marketplace, at: now, in: session)
        }
    }

    private static func write(
        _ decision: BreakDecision,
        on id: BreakID,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws -> StoredBreak {
        guard let found = try BreakTable.show(id, of: marketplace, in: session)?.difference else {
            throw BreakRefusal.unknown(id)
        }
        var ids = IdentifierSource()
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
