/// Why a row of a report is no settlement line.
///
/// It names columns and, for a word we do not know, that word; never an amount or a reference.
public enum RowProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has more or fewer fields than the header.
    case fieldCount(expected: Int, found: Int)
    /// Its quotes are not those of RFC 4180, or it holds a carriage return or NUL where none may be.
    case malformed
    /// A field is not UTF-8.
    case notText(column: String)
    /// A field that every line must have is empty.
    case missing(column: String)
    /// A field is no currency of ISO 4217.
    case unknownCurrency(column: String)
    /// A field is no amount.
    case amount(column: String, AmountProblem)
    /// A field says the opposite of another: a debit beside a credit, a negative sale.
    case contradictory(column: String)
    /// The report's amounts have no sign, and we do not know this type's.
    case unknownSign(type: String)

    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .fieldCount(let expected, let found): "The row has \(found) fields where the header has \(expected)."
        case .malformed: "The row is not quoted as RFC 4180 says, or holds control characters."
        case .notText(let column): "The field \(column) is not UTF-8."
        case .missing(let column): "The field \(column) is empty."
        case .unknownCurrency(let column): "The field \(column) is no currency of ISO 4217."
        case .amount(let column, let problem): "The field \(column) is no amount: \(problem.rawValue)."
        case .contradictory(let column): "The field \(column) contradicts another."
        case .unknownSign(let type): "Whether amounts of the type \(type) are credits or debits is not known."
        }
    }
}
