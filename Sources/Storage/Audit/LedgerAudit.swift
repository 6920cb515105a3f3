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

/// What is always so of our own books.
package enum LedgerRule: String, Sendable, CaseIterable {
    /// An entry balances.
    case entryBalances = "entry_balances"
    /// Postings are of their entry.
    case postingFitsEntry = "posting_fits_entry"
    /// An entry has its effect.
    case entryHasEffect = "entry_has_effect"
    /// An entry fits its payment.
    case entryFitsPayment = "entry_fits_payment"
    /// An effect is posted once.
    case effectIsPosted = "effect_is_posted"
    /// The journal says of an order what the order says.
    case booksFollowOrder = "books_follow_order"
    /// Commission is as frozen.
    case commissionIsFrozen = "commission_is_frozen"
    /// A total is its parts.
    case orderIsItsPayments = "order_is_its_payments"
    /// Nothing is captured that is not authorized.
    case capturedWithinAuthorized = "captured_within_authorized"
    /// Nothing is given back that was not captured.
    case refundedWithinCaptured = "refunded_within_captured"
    /// Nothing is kept that is not wanted.
    case refusedHoldsNothing = "refused_holds_nothing"
    /// All other rules of an order.
    case orderKeepsItsRules = "order_keeps_its_rules"
    /// Shares come to the payment.
    case allocationSums = "allocation_sums"
    /// Caches are true.
    case storedEqualsFold = "stored_equals_fold"
    /// States are what was heard.
    case operationsFollowFacts = "operations_follow_facts"
    /// Decisions are told.
    case decisionIsTold = "decision_is_told"
    /// Events have no gaps.
    case eventsHaveNoGaps = "events_have_no_gaps"
    /// Callbacks are counted.
    case callbacksAgree = "callbacks_agree"
    /// Rows can be read.
    case orderIsReadable = "order_is_readable"
    /// Payouts are posted.
    case payoutIsPosted = "payout_is_posted"
    /// What files settle is posted.
    case importIsPosted = "import_is_posted"
    /// Accepted differences are posted.
    case breakIsPosted = "break_is_posted"
    /// What is undone is undone whole.
    case reversalFitsEntry = "reversal_fits_entry"
    /// Statements add up.
    case statementAddsUp = "statement_adds_up"
    /// Debits are credits.
    case accountsSumToZero = "accounts_sum_to_zero"
    /// What is rolled up is what was posted.
    case rollupEqualsPostings = "rollup_equals_postings"

    /// The rule in a sentence.
    package var explanation: String {
        switch self {
        case .entryBalances:
            "Every journal entry has its postings, numbered without gaps; each moves one amount from one account to another, so that the entry balances in its currency."
        case .postingFitsEntry:
            "Every posting is in the currency and the marketplace of its entry, and touches no other merchant's accounts."
        case .entryHasEffect:
            "Every journal entry names the operation, the dispute or the payout that had the effect, which exists and belongs to the same order and merchant."
        case .entryFitsPayment:
            "Every entry about a payment is about that payment's merchant and order, in the order's currency."
        case .effectIsPosted:
            "Every effect of a PSP, and what disputes took, is posted exactly once; what failed after all is posted back once."
        case .booksFollowOrder:
            "The accounts hold of each order what follows from its operations, its routes and who bears its refunds."
        case .commissionIsFrozen:
            "The commission and the tax on it that are posted for an order are those of the lines frozen at the sale."
        case .orderIsItsPayments:
            "The payments of an order come to what is payable, which with the residual is its amount."
        case .capturedWithinAuthorized:
            "Of no payment more is captured, released, or on its way to either, than was authorized, unless a person is told."
        case .refundedWithinCaptured:
            "Of no payment more is refunded, charged back, or on its way back, than was captured, unless a person is told."
        case .refusedHoldsNothing:
            "What an order's decision does not want is neither held nor captured net of refunds, once nothing is under way."
        case .orderKeepsItsRules: "Every order keeps the other rules that are checked before it is stored."
        case .allocationSums: "The lines of a payment sum to its amount, to what is captured and to what is refunded."
        case .storedEqualsFold:
            "Stored statuses and amounts are caches of what the operations say, and equal it."
        case .operationsFollowFacts: "The state of every operation is one that a fact, heard and stored, stands for."
        case .decisionIsTold: "The last decision that an order's events tell is the one it stores."
        case .eventsHaveNoGaps: "The events of an order are numbered from 1 without gaps up to the number it stores."
        case .callbacksAgree:
            "No callback is numbered above what its order or payment has counted, and none twice at one endpoint."
        case .orderIsReadable: "Every stored order can be read whole."
        case .payoutIsPosted: "Every payout is posted with its amount, and posted back if and only if it failed."
        case .importIsPosted:
            "What a file that counts settles is posted once, and what any other file settles not at all."
        case .breakIsPosted: "A difference is posted only if it was accepted, and then once."
        case .reversalFitsEntry: "An entry that undoes another is that entry the other way round."
        case .statementAddsUp:
            "A merchant's statement closes at its opening balance and its lines, and at what its payable account holds."
        case .accountsSumToZero: "Over all accounts, as much is debited as credited, in each currency."
        case .rollupEqualsPostings: "What is rolled up of each closed hour is what was posted in it."
        }
    }
}

/// A place where our own books break a rule that never breaks.
package struct LedgerFinding: Hashable, Sendable {
    /// The rule that is broken.
    package let rule: LedgerRule
    /// What breaks it: an identifier, or an account and what it is looked at in.
    package let subject: String
    /// What should be there.
    package let expected: String
    /// What is there.
    package let found: String

    /// Makes a finding.
    package init(_ rule: LedgerRule, _ subject: String, expected: String, found: String) {
        self.rule = rule
        self.subject = subject
        self.expected = expected
        self.found = found
    }
}
