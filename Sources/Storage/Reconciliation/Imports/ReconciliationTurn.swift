package import SQL

/// A marketplace's reconciliations come to count one after the other.
package enum ReconciliationTurn {
    /// How many came to count so far.
    ///
    /// - Throws: `SQLError`.
    package static func number(of marketplace: String, in session: any Session) throws(SQLError) -> Int64 {
        let rows = try session.rows("SELECT number FROM reconciliation_turn WHERE marketplace = \(marketplace)")
        return try rows.first?.integer("number") ?? 0
    }

    /// Waits for the turn, and holds it to the end of the transaction.
    ///
    /// - Returns: how many came to count so far.
    /// - Throws: `SQLError`.
    package static func take(of marketplace: String, in session: any Session) throws(SQLError) -> Int64 {
        try session.run(
            "INSERT INTO reconciliation_turn (marketplace) VALUES (\(marketplace)) ON CONFLICT (marketplace) DO NOTHING"
        )
        let rows = try session.rows(
            """
            SELECT number FROM reconciliation_turn WHERE marketplace = \(marketplace)
            \(unsafeText: session.dialect.lock)
            """
        )
        return try rows.first?.integer("number") ?? 0
    }

    /// Counts one more; the turn has to be held.
    static func pass(of marketplace: String, in session: any Session) throws(SQLError) {
        try session.run("UPDATE reconciliation_turn SET number = number + 1 WHERE marketplace = \(marketplace)")
    }
}
