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
        var findings: [LedgerFinding] = []
        let start = start() ?? result.startedAt
        for part in [.entries, .orders, .payouts, .imports, .breaks, .reversals] as [LedgerAudit.Part] {
            findings += try await look(part, since: start, database)
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

    private func look(
        _ part: LedgerAudit.Part,
        since start: Timestamp,
        _ database: any Database
    ) async throws -> [LedgerFinding] {
        let audit = LedgerAudit(of: marketplace, in: start..<LedgerAudit.allTime.upperBound)
        var bar = ProgressBar("our \(part.rawValue)")
        defer { bar.hide() }
        if bar.isShown { bar.total = try await database.read { try audit.size(of: part, in: $0) } }
        var findings: [LedgerFinding] = []
        var place: LedgerAudit.Place?
        repeat {
            let last = place
            let page = try await database.read { session in try audit.page(part, after: last, in: session) }
            findings += page.findings
            bar.advance(by: page.count)
            place = page.next
        } while place != nil && findings.count < 100
        return findings
    }
}
