import AdapterKit

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
