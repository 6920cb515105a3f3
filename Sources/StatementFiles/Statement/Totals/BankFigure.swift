package import AdapterKit

/// A figure that a file states and that can be computed from its entries.
package enum BankFigure: Hashable, Sendable, CustomStringConvertible {
    /// A number of entries.
    case count(Int)
    /// A sum or a balance.
    case amount(SettlementAmount)

    /// The number, or the amount with its currency.
    package var description: String {
        switch self {
        case .count(let count): String(count)
        case .amount(let amount): amount.description
        }
    }
}
