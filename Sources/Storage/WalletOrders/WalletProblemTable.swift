package import Domain
package import SQL

/// What keeps orders from being followed in Wallet: one row a marketplace and kind, gone when it is mended.
package enum WalletProblemTable {
    /// Those of a marketplace, or of all, by marketplace and kind.
    ///
    /// - Throws: `SQLError`.
    package static func all(
        of marketplace: String? = nil,
        in session: any Session
    ) throws(SQLError) -> [WalletProblem] {
        let condition: SQL = marketplace.map { "WHERE marketplace = \($0)" } ?? ""
        let rows = try session.rows("SELECT * FROM wallet_problem \(condition) ORDER BY marketplace, kind")
        return try rows.map { row throws(SQLError) in
            WalletProblem(
                marketplace: try row.text("marketplace"),
                kind: try row.word("kind"),
                subject: try row.optionalText("subject"),
                since: try row.time("since"),
                seenAt: try row.time("seen_at"),
                finding: try row.text("finding")
            )
        }
    }

    /// Takes note of a problem; one that is known goes on since when it began.
    ///
    /// - Throws: `SQLError`.
    package static func save(_ problem: WalletProblem, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO wallet_problem (marketplace, kind, subject, since, seen_at, finding)
            VALUES (\(problem.marketplace), \(problem.kind.rawValue), \(problem.subject), \(problem.since),
                \(problem.seenAt), \(problem.finding))
            ON CONFLICT (marketplace, kind) DO UPDATE SET subject = excluded.subject, seen_at = excluded.seen_at,
                finding = excluded.finding
            """
        )
    }

    /// Ends a problem; of one that is about a single package only if it is about that one.
    ///
    /// - Throws: `SQLError`.
    package static func end(
        _ kind: WalletProblem.Kind,
        of marketplace: String,
        about subject: String? = nil,
        in session: any Session
    ) throws(SQLError) {
        let same: SQL = subject.map { "AND subject = \($0)" } ?? ""
        try session.run(
            "DELETE FROM wallet_problem WHERE marketplace = \(marketplace) AND kind = \(kind.rawValue) \(same)"
        )
    }
}
