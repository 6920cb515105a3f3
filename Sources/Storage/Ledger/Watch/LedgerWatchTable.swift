package import Domain
package import SQL

/// Who verifies a marketplace's books in the background, and what the last complete run found.
package enum LedgerWatchTable {
    /// Claims the verification of a marketplace's books, unless somebody has it in hand or completed one recently.
    ///
    /// - Parameters:
    ///   - marketplace: whose books.
    ///   - instance: who claims it.
    ///   - now: the moment.
    ///   - until: when the claim lapses, unless it is renewed.
    ///   - dueBefore: a run that was completed later than this is recent.
    ///   - session: the transaction.
    /// - Returns: whether it is claimed.
    /// - Throws: `SQLError`.
    package static func claim(
        _ marketplace: String,
        by instance: String,
        at now: Timestamp,
        until: Timestamp,
        dueBefore: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            INSERT INTO ledger_audit (marketplace, leased_by, leased_until)
            VALUES (\(marketplace), \(instance), \(until))
            ON CONFLICT (marketplace) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
            WHERE (ledger_audit.leased_until IS NULL OR ledger_audit.leased_until <= \(now))
                AND (ledger_audit.completed_at IS NULL OR ledger_audit.completed_at <= \(dueBefore))
            """
        ) == 1
    }

    /// Keeps a claim longer, and says whether it was still there.
    ///
    /// - Throws: `SQLError`.
    package static func renew(
        _ marketplace: String,
        by instance: String,
        until: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE ledger_audit SET leased_until = \(until)
            WHERE marketplace = \(marketplace) AND leased_by = \(instance)
            """
        ) == 1
    }

    /// Gives a claim back; the run was not completed.
    ///
    /// - Throws: `SQLError`.
    package static func giveUp(_ marketplace: String, by instance: String, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE ledger_audit SET leased_by = NULL, leased_until = NULL
            WHERE marketplace = \(marketplace) AND leased_by = \(instance)
            """
        )
    }

    /// Writes down what a complete run found, and gives the claim back; nothing if it was lost meanwhile.
    ///
    /// - Throws: `SQLError`.
    package static func complete(
        _ marketplace: String,
        by instance: String,
        at now: Timestamp,
        finding counts: [LedgerRule: Int],
        in session: any Session
    ) throws(SQLError) {
        let isOurs =
            try session.change(
                """
                UPDATE ledger_audit SET leased_by = NULL, leased_until = NULL, completed_at = \(now)
                WHERE marketplace = \(marketplace) AND leased_by = \(instance)
                """
            ) == 1
        guard isOurs else { return }
        try session.run("DELETE FROM ledger_audit_finding WHERE marketplace = \(marketplace)")
        let rows: [[SQLValue]] = counts.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            [marketplace.sqlValue, $0.key.rawValue.sqlValue, $0.value.sqlValue]
        }
        guard !rows.isEmpty else { return }
        try session.run("INSERT INTO ledger_audit_finding (marketplace, rule, count) VALUES \(rows: rows)")
    }

    /// What the last complete runs found, over all marketplaces.
    ///
    /// - Throws: `SQLError`.
    package static func health(in session: any Session) throws(SQLError) -> LedgerHealth {
        let integer = session.dialect.integerType
        let answers = try session.rows([
            """
            SELECT rule, CAST(SUM(count) AS \(unsafeText: integer)) AS count FROM ledger_audit_finding GROUP BY rule
            """,
            """
            SELECT MIN(COALESCE(a.completed_at, 0)) AS completed_at
            FROM marketplace AS m LEFT JOIN ledger_audit AS a ON a.marketplace = m.id
            """,
        ])
        var findings: [LedgerRule: Int64] = [:]
        for row in answers[0] {
            // A rule of another build has no name here.
            guard let rule = LedgerRule(rawValue: try row.text("rule")) else { continue }
            findings[rule] = try row.integer("count")
        }
        let oldest = try answers[1].first?.optionalTime("completed_at")
        return LedgerHealth(findings: findings, verifiedAt: oldest ?? Timestamp(microseconds: 0))
    }
}
