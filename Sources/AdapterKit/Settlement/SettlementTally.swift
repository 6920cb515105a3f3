public import Domain

/// What is known of a report once all of it is read: its control totals.
public struct SettlementTrailer: Hashable, Sendable {
    /// How many unusable rows are kept one by one.
    public static let unusableLimit = 1000

    /// The line that only the end of the file completed, if there is one.
    public let lines: [SettlementLine]
    /// How many rows there are beside the header and blank ones, usable or not.
    public let rows: Int
    /// How many of them could not be read.
    public let unusableCount: Int
    /// The first of those, at most ``unusableLimit``.
    public let unusable: [UnusableRow]
    /// The sums of all lines, in the order of the currencies' codes.
    public let sums: [SettlementSum]
    /// Whether a table's last row has no line end.
    ///
    /// A file that was cut off inside its last field looks the same.
    public let lacksFinalLineEnd: Bool
}

/// What the lines of a report add up to in one currency.
public struct SettlementSum: Hashable, Sendable {
    /// The sum of ``SettlementLine/gross``.
    public let gross: SettlementAmount
    /// The sum of ``SettlementLine/fee``.
    public let fee: SettlementAmount
    /// The sum of ``SettlementLine/net``.
    public let net: SettlementAmount
    /// The sum of the net amounts above zero.
    public let credits: SettlementAmount
    /// The sum of the net amounts below zero, itself not above zero.
    public let debits: SettlementAmount

    /// The currency.
    public var currency: Currency { net.currency }
}

/// Counts and adds up while a report is read, in memory that does not grow with it.
struct SettlementTally: Sendable {
    private var rows = 0
    private var unusableCount = 0
    private var unusable: [UnusableRow] = []
    /// One for each currency that there was, in the order in which they came: few, as a rule one.
    private var sums: [RunningSum] = []

    /// Counts what became of a row, and answers the line if it is one.
    mutating func take(_ result: Result<SettlementLine, RowProblem>, row: Int) -> SettlementLine? {
        switch result {
        case .success(let line):
            count(line)
            return line
        case .failure(let problem):
            count(problem, row: row)
            return nil
        }
    }

    /// Counts a row that is a line.
    mutating func count(_ line: borrowing SettlementLine) {
        rows += 1
        if let gross = line.gross { sums[place(of: gross.currency)].gross.add(gross) }
        if let fee = line.fee { sums[place(of: fee.currency)].fee.add(fee) }
        if let net = line.net { sums[place(of: net.currency)].addNet(net) }
    }

    /// Counts a row that is none.
    mutating func count(_ problem: RowProblem, row: Int) {
        rows += 1
        unusableCount += 1
        if unusable.count < SettlementTrailer.unusableLimit { unusable.append(UnusableRow(row: row, problem: problem)) }
    }

    private mutating func place(of currency: Currency) -> Int {
        for place in sums.indices where sums[place].currency.numericCode == currency.numericCode { return place }
        sums.append(RunningSum(currency: currency))
        return sums.count - 1
    }

    /// The control totals.
    ///
    /// - Throws: ``SettlementProblem/sumOverflows(_:)``.
    func trailer(
        lines: [SettlementLine] = [],
        lacksFinalLineEnd: Bool = false
    ) throws(SettlementProblem) -> SettlementTrailer {
        var totals: [SettlementSum] = []
        for sum in sums.sorted(by: { $0.currency.code < $1.currency.code }) {
            do throws(AmountProblem) {
                totals.append(try sum.total())
            } catch {
                throw .sumOverflows(sum.currency)
            }
        }
        return SettlementTrailer(
            lines: lines,
            rows: rows,
            unusableCount: unusableCount,
            unusable: unusable,
            sums: totals,
            lacksFinalLineEnd: lacksFinalLineEnd
        )
    }
}

/// The sums of one currency while they grow.
struct RunningSum: Sendable {
    /// A sum that remembers whether it ever left 128 bits.
    struct Total: Sendable {
        private var trillionths: Int128 = 0
        private var overflowed = false

        mutating func add(_ amount: SettlementAmount) {
            let (sum, overflow) = trillionths.addingReportingOverflow(amount.trillionths)
            trillionths = sum
            overflowed = overflowed || overflow
        }

        func amount(_ currency: Currency) throws(AmountProblem) -> SettlementAmount {
            guard !overflowed else { throw .overflow }
            return try SettlementAmount(trillionths: trillionths, currency: currency)
        }
    }

    let currency: Currency
    var gross = Total()
    var fee = Total()
    private var net = Total()
    private var credits = Total()
    private var debits = Total()

    init(currency: Currency) { self.currency = currency }

    mutating func addNet(_ amount: SettlementAmount) {
        net.add(amount)
        if amount.units < 0 { debits.add(amount) } else { credits.add(amount) }
    }

    func total() throws(AmountProblem) -> SettlementSum {
        SettlementSum(
            gross: try gross.amount(currency),
            fee: try fee.amount(currency),
            net: try net.amount(currency),
            credits: try credits.amount(currency),
            debits: try debits.amount(currency)
        )
    }
}
