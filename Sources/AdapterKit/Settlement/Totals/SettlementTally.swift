import Domain

/// Counts and adds up while a report is read, in memory that does not grow with it.
struct SettlementTally: Sendable {
    private var rows = 0
    private var unusableCount = 0
    private var unusable: [UnusableRow] = []
    /// By the currency's numeric code.
    private var sums: [Int: RunningSum] = [:]

    /// Counts what became of a row, and answers the line if it is one.
    mutating func take(_ result: Result<SettlementLine, RowProblem>, row: Int) -> SettlementLine? {
        rows += 1
        switch result {
        case .success(let line):
            add(line.gross) { $0.gross.add($1) }
            add(line.fee) { $0.fee.add($1) }
            add(line.net) { $0.addNet($1) }
            return line
        case .failure(let problem):
            unusableCount += 1
            if unusable.count < SettlementTrailer.unusableLimit {
                unusable.append(UnusableRow(row: row, problem: problem))
            }
            return nil
        }
    }

    private mutating func add(_ amount: SettlementAmount?, _ add: (inout RunningSum, SettlementAmount) -> Void) {
        guard let amount else { return }
        add(&sums[amount.currency.numericCode, default: RunningSum(currency: amount.currency)], amount)
    }

    /// The control totals.
    ///
    /// - Throws: ``SettlementProblem/sumOverflows(_:)``.
    func trailer(
        lines: [SettlementLine] = [],
        lacksFinalLineEnd: Bool = false
    ) throws(SettlementProblem) -> SettlementTrailer {
        var totals: [SettlementSum] = []
        for sum in sums.values.sorted(by: { $0.currency.code < $1.currency.code }) {
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
