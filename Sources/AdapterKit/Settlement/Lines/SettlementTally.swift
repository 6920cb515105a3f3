import Domain

/// Counts and adds up while a report is read, in memory that does not grow with it.
struct SettlementTally: Sendable {
    private var rows = 0
    private var unusableCount = 0
    private var unusable: [UnusableRow] = []
    private var sums: [Currency: RunningSum] = [:]

    /// Counts what became of a row, and answers the line if it is one.
    mutating func take(_ result: Result<SettlementLine, RowProblem>, row: Int) -> SettlementLine? {
        rows += 1
        switch result {
        case .success(let line):
            if let gross = line.gross { sums[gross.currency, default: RunningSum()].gross.add(gross) }
            if let fee = line.fee { sums[fee.currency, default: RunningSum()].fee.add(fee) }
            if let net = line.net { sums[net.currency, default: RunningSum()].addNet(net) }
            return line
        case .failure(let problem):
            unusableCount += 1
            if unusable.count < SettlementTrailer.unusableLimit {
                unusable.append(UnusableRow(row: row, problem: problem))
            }
            return nil
        }
    }

    /// The control totals.
    ///
    /// - Throws: ``SettlementProblem/sumOverflows(_:)``.
    func trailer(
        lines: [SettlementLine] = [],
        lacksFinalLineEnd: Bool = false
    ) throws(SettlementProblem) -> SettlementTrailer {
        var totals: [SettlementSum] = []
        for (currency, sum) in sums.sorted(by: { $0.key.code < $1.key.code }) {
            do throws(AmountProblem) {
                totals.append(try sum.total(currency))
            } catch {
                throw .sumOverflows(currency)
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
