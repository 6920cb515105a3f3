import AdapterKit
import Domain

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
