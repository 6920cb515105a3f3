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

/// The sums of one currency while they grow.
///
/// 128 bits hold the sum of ten thousand million of the largest amounts, which no file has; what is checked is that the
/// result fits an amount.
struct EntrySum: Sendable {
    let currency: Currency
    private(set) var creditCount = 0
    private(set) var debitCount = 0
    private(set) var creditTrillionths: Int128 = 0
    private(set) var debitTrillionths: Int128 = 0

    init(currency: Currency) { self.currency = currency }

    mutating func add(_ entry: BankEntry) {
        if entry.creditDebit == .credit {
            creditCount += 1
            creditTrillionths += entry.amount.trillionths
        } else {
            debitCount += 1
            debitTrillionths += entry.amount.trillionths
        }
    }

    mutating func add(_ other: EntrySum) {
        creditCount += other.creditCount
        debitCount += other.debitCount
        creditTrillionths += other.creditTrillionths
        debitTrillionths += other.debitTrillionths
    }

    /// What the balance changed by, in units of 10⁻¹² of the major unit.
    var netTrillionths: Int128 { creditTrillionths - debitTrillionths }

    func total() throws(BankProblem) -> BankSum {
        BankSum(
            creditCount: creditCount,
            debitCount: debitCount,
            credits: try amount(creditTrillionths),
            debits: try amount(-debitTrillionths),
            net: try amount(netTrillionths)
        )
    }

    /// An amount of the currency.
    ///
    /// - Throws: ``BankProblem/sumOverflows(_:)``.
    func amount(_ trillionths: Int128) throws(BankProblem) -> SettlementAmount {
        do throws(AmountProblem) {
            return try SettlementAmount(trillionths: trillionths, currency: currency)
        } catch {
            throw .sumOverflows(currency)
        }
    }
}

/// The sums of all currencies, booked entries and others apart.
struct EntrySums: Sendable {
    /// By the currency's numeric code.
    private(set) var booked: [Int: EntrySum] = [:]
    private(set) var unbooked: [Int: EntrySum] = [:]

    mutating func add(_ entry: BankEntry) {
        let currency = entry.amount.currency
        if entry.status == .booked {
            booked[currency.numericCode, default: EntrySum(currency: currency)].add(entry)
        } else {
            unbooked[currency.numericCode, default: EntrySum(currency: currency)].add(entry)
        }
    }

    mutating func add(_ other: EntrySums) {
        booked.merge(other.booked) { sum, more in
            var sum = sum
            sum.add(more)
            return sum
        }
        unbooked.merge(other.unbooked) { sum, more in
            var sum = sum
            sum.add(more)
            return sum
        }
    }

    /// Booked and other entries together, if they are all of one currency; nil if there are none, or of several.
    var single: EntrySum? {
        var sums = booked
        sums.merge(unbooked) { sum, more in
            var sum = sum
            sum.add(more)
            return sum
        }
        return sums.count == 1 ? sums.values.first : nil
    }

    static func totals(_ sums: [Int: EntrySum]) throws(BankProblem) -> [BankSum] {
        var totals: [BankSum] = []
        for sum in sums.values.sorted(by: { $0.currency.code < $1.currency.code }) { totals.append(try sum.total()) }
        return totals
    }
}

/// A figure that a file states of a statement's entries, before or behind them.
struct StatedFigure {
    /// The figure as it is written.
    enum Value {
        /// A number.
        case count(Int)
        /// A decimal number without a currency: that of the entries.
        case decimal(ArraySlice<UInt8>, isDebit: Bool)
        /// An amount.
        case amount(SettlementAmount)
    }

    let subject: BankCheck.Subject
    let value: Value
}

/// Compares what a statement states with what its entries come to.
struct StatementChecks {
    let sums: EntrySums
    /// Whether every entry could be read; else nothing can be compared.
    let isComplete: Bool
    /// The currency where there are no entries to take it from.
    let currency: Currency?

    /// Opening balance plus booked entries, against the closing balance.
    ///
    /// Nil if one of the balances is missing or there are several of a kind, or if currencies differ.
    func closing(_ balances: [BankBalance]) throws(BankProblem) -> BankCheck? {
        guard isComplete,
            let opening = Self.only(.openingBooked, balances) ?? Self.only(.previouslyClosedBooked, balances),
            let closing = Self.only(.closingBooked, balances), opening.currency == closing.currency,
            sums.booked.values.allSatisfy({ $0.currency == opening.currency })
        else { return nil }
        let sum = sums.booked[opening.currency.numericCode] ?? EntrySum(currency: opening.currency)
        let found = try sum.amount(opening.trillionths + sum.netTrillionths)
        return BankCheck(subject: .closingBalance, stated: .amount(closing), found: .amount(found))
    }

    /// A stated figure beside the computed one; nil if it cannot be compared.
    func check(_ figure: StatedFigure) throws(BankProblem) -> BankCheck? {
        guard isComplete, let sum = sums.single ?? emptySum else { return nil }
        let found: BankFigure? =
            switch figure.subject {
            case .entryCount: .count(sum.creditCount + sum.debitCount)
            case .creditCount: .count(sum.creditCount)
            case .debitCount: .count(sum.debitCount)
            case .entrySum: .amount(try sum.amount(sum.creditTrillionths + sum.debitTrillionths))
            case .creditSum: .amount(try sum.amount(sum.creditTrillionths))
            case .debitSum: .amount(try sum.amount(sum.debitTrillionths))
            case .netSum: .amount(try sum.amount(sum.netTrillionths))
            case .closingBalance, .pageBalance: nil
            }
        guard let found, let stated = stated(figure.value, in: sum.currency) else { return nil }
        return BankCheck(subject: figure.subject, stated: stated, found: found)
    }

    private var emptySum: EntrySum? {
        guard sums.booked.isEmpty, sums.unbooked.isEmpty else { return nil }
        return currency.map { EntrySum(currency: $0) }
    }

    private func stated(_ value: StatedFigure.Value, in currency: Currency) -> BankFigure? {
        switch value {
        case .count(let count): return .count(count)
        case .amount(let amount): return .amount(amount)
        case .decimal(let text, let isDebit):
            guard let amount = try? SettlementAmount(decimal: text, currency: currency) else { return nil }
            return .amount(isDebit ? amount.negated : amount)
        }
    }

    private static func only(_ kind: BankBalanceKind, _ balances: [BankBalance]) -> SettlementAmount? {
        let found = balances.filter { $0.kind == kind }
        return found.count == 1 ? found.first?.amount : nil
    }
}
