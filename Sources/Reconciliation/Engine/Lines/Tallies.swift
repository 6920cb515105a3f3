import AdapterKit
import Domain

/// Counts what becomes of each line.
struct Tallies {
    private var currencies: [CurrencyTally?] = Array(repeating: nil, count: 1000)
    /// A currency whose sum does not fit.
    private var overflowed: Currency?

    /// What became of a line.
    enum Fate {
        /// It was read.
        case read
        case matched
        case broken
        case explained
    }

    mutating func add(_ line: LineHeader, _ fate: Fate) {
        guard line.has(LineHeader.hasAmount) else { return }
        let code = Int(line.currency)
        var tally = currencies[code] ?? CurrencyTally(currency: Currencies.currency(line.currency))
        let fits =
            switch fate {
            case .read: tally.lines.add(line.trillionths)
            case .matched: tally.matched.add(line.trillionths)
            case .broken: tally.broken.add(line.trillionths)
            case .explained: tally.explained.add(line.trillionths)
            }
        if !fits { overflowed = tally.currency }
        currencies[code] = tally
    }

    /// The tallies in the order of the currencies' codes.
    func all() throws(ReconciliationFailure) -> [CurrencyTally] {
        if let overflowed { throw .sumOverflows(overflowed) }
        return currencies.compactMap(\.self).sorted { $0.currency.code < $1.currency.code }
    }
}
