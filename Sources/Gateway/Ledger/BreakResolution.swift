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
    ///   - hashes: those of the API key that is shown, which then has to have the scope `adjuster`; nil for none.
    ///   - now: the database's time.
    /// - Returns: the break as it is now.
    /// - Throws: `BreakRefusal`, ``DirectoryRefusal``, or `SQLError`.
    package func resolve(
        _ id: BreakID,
        of choice: MarketplaceChoice,
        as state: BreakState,
        because reason: String,
        by person: String,
        with hashes: [String]?,
        at now: Timestamp
    ) async throws -> StoredBreak {
        guard !state.isPosted || hashes != nil else { throw DirectoryRefusal.keyLacksScope("adjuster") }
        return try await database.write { session in
            let owner = try choice.marketplace(in: session)
            guard let found = try BreakTable.show(id, of: owner, in: session)?.difference else {
                throw BreakRefusal.unknown(id)
            }
            let key = try hashes.map { hashes in
                try APIKeys.require(.adjuster, hashes: hashes, of: owner, at: now, in: session)
            }
            var ids = IdentifierSource()
            return try BreakTable.act(
                BreakDecision(state, by: key.map { "\(person) with \($0.id)" } ?? person, because: reason),
                on: id,
                seenAs: found.state,
                of: owner,
                at: now,
                ids: &ids,
                in: session
            )
        }
    }
}
