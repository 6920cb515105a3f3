package import Domain
package import SQL

/// Holds a marketplace's books to their rules, by what is stored alone.
///
/// A page at a time, each in whatever transaction the caller chooses, so that it takes as much memory for a million
/// orders as for one. What belongs together is read in one page, so that it may run while orders are placed.
package struct LedgerAudit: Hashable, Sendable {
    /// What is gone through, one after the other.
    package enum Part: String, Sendable, CaseIterable {
        /// Journal entries with their postings, by the moment of posting.
        case entries
        /// Orders with all that belongs to them, by when they were placed.
        case orders
        /// Payouts, by when they were recorded.
        case payouts
        /// Files that were taken in.
        case imports
        /// What files and books differ by.
        case breaks
        /// Entries that undo others.
        case reversals
        /// Merchants' statements, by merchant.
        case statements
        /// Hours that are rolled up.
        case rollups
    }

    /// Where a page ends and the next one goes on.
    package struct Place: Hashable, Sendable {
        /// A moment; 0 where things go by identifier alone.
        package let at: Timestamp
        /// An identifier; empty where things go by moment alone.
        package let id: String
    }

    /// What a look at a page came to.
    package struct Page: Hashable, Sendable {
        /// What breaks a rule.
        package var findings: [LedgerFinding] = []
        /// How many things were looked at.
        package var count = 0
        /// Where the next page goes on; nil behind the last.
        package var next: Place?
    }

    /// All time.
    package static let allTime = Timestamp(microseconds: 0)..<Timestamp(microseconds: .max)

    /// Whose books.
    package let marketplace: String
    /// What to look at: entries and hours posted in it, orders placed or posted about in it, payouts recorded in it.
    package let period: Range<Timestamp>

    /// Makes an audit of all time, unless said.
    package init(of marketplace: String, in period: Range<Timestamp> = Self.allTime) {
        self.marketplace = marketplace
        self.period = period
    }

    /// Looks at the page of a part behind a place.
    ///
    /// - Throws: `SQLError`.
    package func page(_ part: Part, after place: Place?, in session: any Session) throws -> Page {
        switch part {
        case .entries: try EntryAudit(audit: self).page(after: place, in: session)
        case .orders: try OrderAudit(audit: self).page(after: place, in: session)
        case .payouts: try PayoutAudit(audit: self).page(after: place, in: session)
        case .imports: try SettlementAudit(audit: self).imports(after: place, in: session)
        case .breaks: try SettlementAudit(audit: self).breaks(after: place, in: session)
        case .reversals: try SettlementAudit(audit: self).reversals(after: place, in: session)
        case .statements: try StatementAudit(audit: self).page(after: place, in: session)
        case .rollups: try RollupAudit(audit: self).page(after: place, in: session)
        }
    }

    /// How many things a part has, for those who wait; orders of all time count.
    ///
    /// - Throws: `SQLError`.
    package func size(of part: Part, in session: any Session) throws(SQLError) -> Int {
        let source: SQL =
            switch part {
            case .entries: "journal_entry WHERE marketplace = \(marketplace) AND \(isIn("at"))"
            case .orders: "orders WHERE marketplace = \(marketplace)"
            case .payouts: "payout WHERE marketplace = \(marketplace) AND \(isIn("recorded_at"))"
            case .imports: "import_file WHERE marketplace = \(marketplace) AND \(isIn("imported_at"))"
            case .breaks: "recon_break WHERE marketplace = \(marketplace) AND \(isIn("opened_at"))"
            case .reversals:
                "journal_entry WHERE marketplace = \(marketplace) AND \(isIn("at")) AND reverses IS NOT NULL"
            case .statements: "merchant WHERE marketplace = \(marketplace)"
            case .rollups:
                """
                (SELECT DISTINCT until FROM ledger_period WHERE marketplace = \(marketplace) AND \(isIn("until")))
                AS hours
                """
            }
        let rows = try session.rows(
            "SELECT CAST(COUNT(*) AS \(unsafeText: session.dialect.integerType)) AS number FROM \(source)"
        )
        return Int(try rows.first?.integer("number") ?? 0)
    }

    /// The condition that a column's moment is in the period.
    func isIn(_ column: SQL) -> SQL {
        "\(column) >= \(period.lowerBound) AND \(column) < \(period.upperBound)"
    }
}
