/// What in the declaration of a bank's table contradicts itself.
package enum BankTableProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer than no lines stand before the header.
    case negativeSkippedRows
    /// Neither booking nor value date has a column.
    case noDate
    /// Neither a column nor the declaration names the currency.
    case noCurrency
    /// A column's number is below 1.
    case columnBelowOne(Int)
    /// A column has a name, but the table has no header.
    case nameWithoutHeader(String)
    /// The words for credit and debit are missing or the same.
    case indicators

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .negativeSkippedRows: "The number of lines before the header is below zero."
        case .noDate: "Neither the booking date nor the value date has a column."
        case .noCurrency: "Neither a column nor the declaration itself names the currency."
        case .columnBelowOne(let number): "There is no column \(number); the first is 1."
        case .nameWithoutHeader(let name): "The column \(name) has a name, but the table has no header."
        case .indicators: "The words for credits and debits are missing or the same."
        }
    }
}
