public import Domain

/// An adapter whose PSP has settlement reports that can be read.
public protocol SettlementReporter: PaymentAdapter {
    /// The kinds of report it has.
    static var settlementReports: [any SettlementReport.Type] { get }
}

extension SettlementReporter {
    /// The kind of report that a file beginning with these bytes is; nil if it is none of this PSP's.
    public static func settlementReport(beginning head: [UInt8]) -> (any SettlementReport.Type)? {
        settlementReports.first { $0.recognises(head) }
    }
}

/// A kind of settlement report, read as it arrives: file, socket or test hand over bytes piece by piece.
///
/// How the bytes are divided makes no difference, and memory does not grow with the file. After a throw the file is
/// unusable as a whole: every further call throws the same.
public protocol SettlementReport: Sendable {
    /// The name of the format, lower case with hyphens: `adyen-settlement-details`.
    static var format: String { get }

    /// Whether a file that begins with these bytes is such a report.
    ///
    /// The first 16 KiB are enough, or the whole file if it is shorter.
    static func recognises(_ head: [UInt8]) -> Bool

    /// Makes a reader at the beginning of a file.
    init()

    /// Reads on, and answers the lines that are complete.
    ///
    /// - Throws: ``SettlementProblem``; a row that is wrong on its own is counted and read past.
    mutating func read(_ chunk: ArraySlice<UInt8>) throws(SettlementProblem) -> [SettlementLine]

    /// Ends the reading; the file is complete.
    ///
    /// - Throws: ``SettlementProblem``, for a file that ends early among others.
    mutating func finish() throws(SettlementProblem) -> SettlementTrailer
}

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

/// A row that is reported instead of read.
public struct UnusableRow: Hashable, Sendable {
    /// Where it stands, counted as in ``SettlementLine/row``.
    public let row: Int
    /// Why it is no line.
    public let problem: RowProblem

    /// Makes a row.
    public init(row: Int, problem: RowProblem) {
        self.row = row
        self.problem = problem
    }
}
