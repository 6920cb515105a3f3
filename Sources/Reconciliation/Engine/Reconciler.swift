import Domain

/// Compares what PSPs and banks report with what our books have.
///
/// Everything is handed over as it streams in, in any order; ``finish(lookup:into:)`` then yields matches and breaks, in
/// an order that depends on nothing but what was handed over. Memory does not grow with the reports and expectations:
/// what does not fit is spilled to files without a name. One caller at a time.
///
/// A line is matched by the first rule that brings it together with expectations that agree, all rules by reference
/// being tried before any difference is believed; only then a pair that belongs together and differs is a break.
/// Lines that stayed in a break have to be handed over again with the next files, as their expectations are: what
/// comes late then still finds them.
package final class Reconciler {
    /// The most matches, breaks or queries that are handed over at once.
    package static let pageLimit = 500
    /// The most rows of one side that share a key; a key that more have names nothing in particular.
    package static let keyLimit = 2_000
    /// The most payouts, and the most entries of the bank.
    package static let bankLimit = 200_000

    let rules: ReconciliationRules
    let scope: ReconciliationScope
    let passes: [LinePass]
    let accounts: Accounts
    var files = ReportFiles()
    var writer = RecordWriter()
    /// What a pass joins, and what goes on to the next: it has no key, or nothing matched it.
    var lines: Spool
    var restLines: Spool
    var expectations: Spool
    var restExpectations: Spool
    /// Lines that no expectation is for, if they have an entry's name or a note.
    var aside: Spool
    var batches: BatchFold
    var tallies = Tallies()
    var bank = BankSide()
    var findings = Findings()
    var lastDay: CalendarDay?
    /// When what the bank may have was paid out.
    var payoutDays: ClosedRange<CalendarDay>?
    var isFinished = false
    var order = RecordOrder(fileRanks: [])
    /// The account that was named last, and its number.
    private var lastAccount: (name: PSPAccountName, number: UInt16)?

    /// Makes a reconciler.
    package init(rules: ReconciliationRules = .standard, scope: ReconciliationScope) {
        self.rules = rules
        self.scope = scope
        passes = LinePass.all(of: rules, scope)
        accounts = Accounts(rules: rules)
        lines = Spool(in: scope.spillDirectory, isWide: true)
        restLines = Spool(in: scope.spillDirectory, isWide: false)
        expectations = Spool(in: scope.spillDirectory, isWide: true)
        restExpectations = Spool(in: scope.spillDirectory, isWide: false)
        aside = Spool(in: scope.spillDirectory, isWide: true)
        batches = BatchFold(spillDirectory: scope.spillDirectory)
    }

    /// The number of an account, which is often the one that was named last.
    func number(of account: PSPAccountName) -> UInt16 {
        if let lastAccount, lastAccount.name == account { return lastAccount.number }
        let number = accounts.number(of: account)
        lastAccount = (account, number)
        return number
    }

    /// Takes note that an input names a day.
    func note(day: CalendarDay?) {
        guard let day else { return }
        if lastDay.map({ $0 < day }) ?? true { lastDay = day }
    }

    /// Takes note of the day of something that was paid out: if it is news, or not old.
    func note(payoutDay day: CalendarDay?, isNews: Bool) {
        guard let day, isNews || day >= newsDay else { return }
        payoutDays = payoutDays.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// The day that ages are counted to: of what was handed over, only this run's files decide.
    var asOf: CalendarDay? { scope.asOf ?? lastDay }
}
