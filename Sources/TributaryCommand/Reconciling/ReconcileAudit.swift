import Domain
import Reconciliation
import SQL
import Storage

/// Whether our own books keep their rules, as far as a reconciliation is about them.
///
/// Entries, orders, payouts, imports, breaks and reversals since a week before the first day that a file names, two months
/// at most; `tributary ledger verify` goes through everything.
struct ReconcileAudit {
    /// How many findings are shown one by one.
    private static let shownLimit = 5
    /// How many findings make it needless to look on in a part of the books.
    private static let enough = 100
    private static let daysBefore: Int32 = 7
    private static let daysAtMost: Int32 = 62

    private let marketplace: String
    private let result: ReconciliationResult

    init(of marketplace: String, _ result: ReconciliationResult) {
        self.marketplace = marketplace
        self.result = result
    }

    /// Holds the books to their rules.
    ///
    /// - Throws: ``CommandFailure`` with what breaks a rule, and `SQLError`.
    func run(on database: any Database) async throws {
        let start = start() ?? result.startedAt
        let audit = LedgerAudit(of: marketplace, in: start..<LedgerAudit.allTime.upperBound)
        let walk = AuditWalk(audit: audit) { "our \($0.rawValue)" }
        var findings: [LedgerFinding] = []
        try await walk.go(through: [.entries, .orders, .payouts, .imports, .breaks, .reversals], database) { found in
            findings += found
            return findings.count < Self.enough
        }
        guard let first = findings.first else { return }
        for finding in findings.prefix(Self.shownLimit) {
            Console.note(
                "\(finding.rule.rawValue): \(finding.subject.harmless): \(finding.expected) expected, \(finding.found)"
            )
        }
        throw CommandFailure.brokenBooks(
            "our own books break a rule, as \(first.rule.rawValue); see `tributary ledger verify`"
        )
    }

    /// The beginning of the first day that is looked at, in UTC.
    private func start() -> Timestamp? {
        guard let first = result.firstDay, let last = result.summary.asOf else { return nil }
        let day = max(first.adding(days: -Self.daysBefore), last.adding(days: -Self.daysAtMost))
        return BusinessCalendar.utc.end(of: day.adding(days: -1))
    }
}
