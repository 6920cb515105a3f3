package import Domain

/// Why a file cannot be read as a bank's at all.
///
/// What it names is the standard's: elements, tags, places and versions, never what the file holds.
package enum BankProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// It ends before it is complete.
    case truncated(line: Int)
    /// It breaks the rules of its format; what is wrong.
    case malformed(line: Int, String)
    /// It has a document type declaration or entities, which no bank needs and which are used for attacks.
    case documentType(line: Int)
    /// Its encoding is not one of UTF-8, UTF-16, ISO-8859-1 and US-ASCII.
    case encoding(line: Int)
    /// A limit was passed; which one.
    case tooLarge(line: Int, String)
    /// A message of ISO 20022 that is not read here.
    case message(String)
    /// Nothing in it is a statement.
    case noStatement
    /// The amounts of a currency add up to more than 64 bits hold.
    case sumOverflows(Currency)

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .empty: "The file is empty."
        case .truncated(let line): "The file ends before it is complete, in line \(line)."
        case .malformed(let line, let what): "Line \(line): \(what)."
        case .documentType(let line): "Line \(line): a document type declaration, which is refused."
        case .encoding(let line): "Line \(line): the encoding is none of UTF-8, UTF-16, ISO-8859-1 and US-ASCII."
        case .tooLarge(let line, let what): "Line \(line): \(what)."
        case .message(let name): "The message \(name) is none of camt.052, camt.053 and camt.054 up to version 13."
        case .noStatement: "The message has no statement."
        case .sumOverflows(let currency): "The sum of the amounts in \(currency.code) is too large."
        }
    }
}
