package import Domain
package import SQL
import Storage

/// Holds what is stored to the rules that never break: after any run, whatever happened in it.
package enum LedgerCheck {
    /// Every stored order.
    ///
    /// - Throws: `SQLError`.
    package static func orders(in database: any Database) async throws -> [Order] {
        try await database.read { session in
            let ids = try session.rows("SELECT id FROM orders ORDER BY id").compactMap { OrderID(try $0.text("id")) }
            return try OrderReader.load(ids, in: session)
        }
    }

    /// Looks for what is wrong with what is stored.
    ///
    /// - Parameters:
    ///   - database: where to look, on one snapshot.
    ///   - rules: the times the orders were planned by.
    /// - Returns: a sentence for each complaint; empty if nothing is wrong.
    /// - Throws: `SQLError`.
    package static func complaints(about database: any Database, rules: OrderTimings) async throws -> [String] {
        try await database.read { session in
            let ids = try session.rows("SELECT id FROM orders ORDER BY id").compactMap { OrderID(try $0.text("id")) }
            var complaints: [String] = []
            for order in try OrderReader.load(ids, in: session) {
                let found =
                    OrderRules.violations(of: order).map { "breaks \($0.rawValue)" }
                    + (try ColumnCheck.complaints(about: order, rules: rules, in: session))
                    + (try HistoryCheck.complaints(about: order, in: session))
                    + (try JournalCheck.complaints(about: order, in: session))
                complaints += found.map { "\(order.id): \($0)" }
            }
            return complaints + (try strays(in: session)) + (try verified(in: session))
        }
    }

    /// What `tributary ledger verify` finds.
    private static func verified(in session: any Session) throws -> [String] {
        var findings: [LedgerFinding] = []
        for marketplace in try MarketplaceTable.all(in: session) {
            let audit = LedgerAudit(of: marketplace.id)
            for part in LedgerAudit.Part.allCases {
                var place: LedgerAudit.Place?
                repeat {
                    let page = try audit.page(part, after: place, in: session)
                    findings += page.findings
                    place = page.next
                } while place != nil
            }
        }
        return findings.map { "\($0.rule.rawValue) \($0.subject): \($0.found), should be \($0.expected)" }
    }

    /// Rows that belong to nothing.
    private static func strays(in session: any Session) throws -> [String] {
        let keys = try session.rows(
            """
            SELECT key FROM idempotency_key WHERE NOT EXISTS
                (SELECT 1 FROM orders WHERE orders.id = idempotency_key.order_id)
            """
        )
        let references = try session.rows(
            """
            SELECT marketplace, reference FROM orders WHERE status NOT IN ('failed', 'canceled')
                AND reference IS NOT NULL GROUP BY marketplace, reference HAVING COUNT(*) > 1
            """
        )
        return try keys.map { "key \(try $0.text("key")) is of no order" }
            + references.map { "reference \(try $0.text("reference")) is in use twice" }
    }
}
