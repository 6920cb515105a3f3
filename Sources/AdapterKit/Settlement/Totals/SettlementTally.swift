import Domain

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
