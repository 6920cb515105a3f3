package import AdapterKit

/// Why an entry cannot be used.
///
/// It names fields and, for a code we do not know, that code; never an amount, a name or a reference.
package enum EntryProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A field that every entry must have is not there.
    case missing(field: String)
    /// A field is not of the form that the standard gives it.
    case malformed(field: String)
    /// A field is no date.
    case date(field: String)
    /// A field is no amount.
    case amount(field: String, AmountProblem)
    /// An amount that must not be below zero is.
    case negative(field: String)
    /// A field has a code that is not known.
    case unknownCode(field: String, code: String)
    /// A currency is none of ISO 4217 that is in force.
    case unknownCurrency(String)
    /// A field is not text in the declared encoding.
    case notText(field: String)
    /// A row has more or fewer fields than the header.
    case fieldCount(expected: Int, found: Int)
    /// It has more transactions than ``BankEntry/transactionLimit``.
    case tooManyTransactions

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .missing(let field): "\(field) is missing."
        case .malformed(let field): "\(field) is not of the form that the standard gives it."
        case .date(let field): "\(field) is no date."
        case .amount(let field, let problem): "\(field) is no amount: \(problem.rawValue)."
        case .negative(let field): "\(field) is below zero."
        case .unknownCode(let field, let code): "\(field) has the code \(code), which is not known."
        case .unknownCurrency(let code): "\(code) is no currency of ISO 4217 that is in force."
        case .notText(let field): "\(field) is not text in the declared encoding."
        case .fieldCount(let expected, let found): "The row has \(found) fields where the header has \(expected)."
        case .tooManyTransactions: "It has more than \(BankEntry.transactionLimit) transactions."
        }
    }
}
