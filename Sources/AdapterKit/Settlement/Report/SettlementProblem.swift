public import Domain

/// Why a file cannot be read as a settlement report at all.
///
/// What it names is ours: columns, places and currencies, never what the file holds.
public enum SettlementProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// The first row is not quoted as RFC 4180 says, or is no text.
    case malformedHeader
    /// The header lacks columns that the report is documented to have; their names, in lower case.
    case missingColumns([String])
    /// The header has a column twice, so that it is not known which one counts; its name, in lower case.
    case repeatedColumn(String)
    /// A page is not the JSON that is documented; its number, the first being 1.
    case malformedPage(Int)
    /// A page is the PSP's report of an error; its number, the first being 1.
    case errorPage(Int)
    /// A row or a page is larger than any that the PSP writes; its number.
    case tooLarge(row: Int)
    /// The file ends inside a row or a page; its number.
    case truncated(row: Int)
    /// The last page says that there are more.
    case incomplete
    /// The amounts of a currency add up to more than 64 bits hold.
    case sumOverflows(Currency)

    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .empty: "The file is empty."
        case .malformedHeader: "The header is not quoted as RFC 4180 says, or is not UTF-8."
        case .missingColumns(let names): "The header lacks the columns \(names.joined(separator: ", "))."
        case .repeatedColumn(let name): "The header has the column \(name) more than once."
        case .malformedPage(let number): "Page \(number) is not what the PSP documents."
        case .errorPage(let number): "Page \(number) is an error that the PSP answered."
        case .tooLarge(let row): "Row or page \(row) is too large."
        case .truncated(let row): "The file ends inside row or page \(row)."
        case .incomplete: "The last page says that there are more pages."
        case .sumOverflows(let currency): "The sum of the amounts in \(currency.code) is too large."
        }
    }
}
