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

    /// What a run that is claimed has to look at: what happened since the run before the last complete one began.
    ///
    /// So every order is looked at once more an interval after it was, when it has come to rest.
    ///
    /// - Returns: all time if no run was completed yet, or as long as the last one found anything.
    /// - Throws: `SQLError`.
    package static func period(
        of marketplace: String,
        every interval: Int64,
        in session: any Session
    ) throws(SQLError) -> Range<Timestamp> {
        let rows = try session.rows(
            """
            SELECT begun_at FROM ledger_audit WHERE marketplace = \(marketplace)
                AND NOT EXISTS (SELECT 1 FROM ledger_audit_finding WHERE marketplace = \(marketplace))
            """
        )
        guard let begun = try rows.first?.optionalTime("begun_at") else { return LedgerAudit.allTime }
        let begin = max(LedgerAudit.allTime.lowerBound, begun.adding(milliseconds: -interval))
        return begin..<LedgerAudit.allTime.upperBound
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
        begunAt begin: Timestamp,
        at now: Timestamp,
        finding counts: [LedgerRule: Int],
        in session: any Session
    ) throws(SQLError) {
        let isOurs =
            try session.change(
                """
                UPDATE ledger_audit SET leased_by = NULL, leased_until = NULL, begun_at = \(begin), completed_at = \(now)
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
        let (counts, oldestTimes) = try session.rows(
            """
            SELECT rule, CAST(SUM(count) AS \(unsafeText: integer)) AS count FROM ledger_audit_finding GROUP BY rule
            """,
            """
            SELECT MIN(COALESCE(a.completed_at, 0)) AS completed_at
            FROM marketplace AS m LEFT JOIN ledger_audit AS a ON a.marketplace = m.id
            """
        )
        var findings: [LedgerRule: Int64] = [:]
        for row in counts {
            // A rule of another build has no name here.
            guard let rule = LedgerRule(rawValue: try row.text("rule")) else { continue }
            findings[rule] = try row.integer("count")
        }
        let oldest = try oldestTimes.first?.optionalTime("completed_at")
        return LedgerHealth(findings: findings, verifiedAt: oldest ?? Timestamp(microseconds: 0))
    }
}

/// What the last complete verification of every marketplace's books found.
package struct LedgerHealth: Hashable, Sendable {
    /// How many places break a rule; a rule that none breaks is left out.
    package let findings: [LedgerRule: Int64]
    /// When the marketplace whose books were not verified for the longest had that done; 1970 if one never had.
    package let verifiedAt: Timestamp

    /// Says what was found.
    package init(findings: [LedgerRule: Int64], verifiedAt: Timestamp) {
        self.findings = findings
        self.verifiedAt = verifiedAt
    }
}
