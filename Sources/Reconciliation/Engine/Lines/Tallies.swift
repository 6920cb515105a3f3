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
        if currencies[code] == nil {
            currencies[code] = CurrencyTally(currency: Currencies.currency(line.currency))
        }
        let amount = line.trillionths
        let fits =
            switch fate {
            case .read: currencies[code]?.lines.add(amount)
            case .matched: currencies[code]?.matched.add(amount)
            case .broken: currencies[code]?.broken.add(amount)
            case .explained: currencies[code]?.explained.add(amount)
            }
        if fits == false { overflowed = Currencies.currency(line.currency) }
    }

    /// The tallies in the order of the currencies' codes.
    func all() throws(ReconciliationFailure) -> [CurrencyTally] {
        if let overflowed { throw .sumOverflows(overflowed) }
        return currencies.compactMap(\.self).sorted { $0.currency.code < $1.currency.code }
    }
}
