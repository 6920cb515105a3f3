import AdapterKit
import Domain

/// Counts and adds up while a bank's file is read, in memory that does not grow with it.
struct BankTally: Sendable {
    private var statement = EntrySums()
    private var file = EntrySums()
    private var statementRows = 0
    private var statementUnusable = 0
    /// How many entries there were, usable or not.
    private(set) var rows = 0
    /// How many of them could not be read.
    private(set) var unusableCount = 0
    private var unusable: [UnusableEntry] = []
    private var disagreements = 0
    private var monthEnds = MonthEndDates()
    /// How many statements have begun.
    private(set) var statements = 0

    /// Begins the next statement, and answers its number.
    mutating func begin() -> Int {
        statements += 1
        statement = EntrySums()
        statementRows = 0
        statementUnusable = 0
        return statements
    }

    /// Counts what became of an entry, and answers it if it is one.
    mutating func take(_ result: Result<BankEntry, EntryProblem>, line: Int) -> BankEntry? {
        statementRows += 1
        rows += 1
        switch result {
        case .success(let entry):
            statement.add(entry)
            return entry
        case .failure(let problem):
            statementUnusable += 1
            unusableCount += 1
            if unusable.count < BankTrailer.unusableLimit {
                unusable.append(UnusableEntry(line: line, problem: problem))
            }
            return nil
        }
    }

    /// Counts dates of a line that were read as a month's last day.
    mutating func add(monthEnds number: Int, line: Int) { monthEnds.add(number, line: line) }

    /// Ends the statement.
    ///
    /// - Throws: ``BankProblem/sumOverflows(_:)``.
    mutating func end(
        balances: [BankBalance] = [],
        stated: [StatedFigure] = [],
        currency: Currency? = nil,
        pageBalance: BankCheck? = nil,
        additionalInformation: String? = nil
    ) throws(BankProblem) -> BankStatementEnd {
        let comparison = StatementChecks(
            sums: statement,
            isComplete: statementUnusable == 0,
            currency: currency ?? balances.first?.amount.currency
        )
        var checks = pageBalance.map { [$0] } ?? []
        if let check = try comparison.closing(balances) { checks.append(check) }
        for figure in stated { if let check = try comparison.check(figure) { checks.append(check) } }
        disagreements += checks.count { !$0.agrees }
        file.add(statement)
        return BankStatementEnd(
            statement: statements,
            balances: balances,
            rows: statementRows,
            unusableCount: statementUnusable,
            booked: try EntrySums.totals(statement.booked),
            unbooked: try EntrySums.totals(statement.unbooked),
            checks: checks,
            additionalInformation: additionalInformation
        )
    }

    /// The file's control totals.
    ///
    /// - Throws: ``BankProblem/sumOverflows(_:)``.
    func trailer(lacksFinalLineEnd: Bool = false) throws(BankProblem) -> BankTrailer {
        BankTrailer(
            statements: statements,
            rows: rows,
            unusableCount: unusableCount,
            unusable: unusable,
            booked: try EntrySums.totals(file.booked),
            unbooked: try EntrySums.totals(file.unbooked),
            disagreementCount: disagreements,
            monthEnds: monthEnds,
            lacksFinalLineEnd: lacksFinalLineEnd
        )
    }
}
