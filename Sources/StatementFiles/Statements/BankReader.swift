package import Domain

/// Reads a bank's file as it arrives: file, archive or test hand over bytes piece by piece.
///
/// How the bytes are divided makes no difference, and memory does not grow with the file. After a throw the file is
/// unusable as a whole: every further call throws the same, and nothing that was answered before may be kept.
package protocol BankReader {
    /// Reads on, and answers what is complete.
    ///
    /// - Throws: ``BankProblem``; an entry that is wrong on its own is counted and read past.
    mutating func read(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [BankItem]

    /// Ends the reading; the file is complete.
    ///
    /// - Returns: what only the end of the file completed, and the control totals.
    /// - Throws: ``BankProblem``, for a file that ends early among others.
    mutating func finish() throws(BankProblem) -> (items: [BankItem], trailer: BankTrailer)
}

/// What a bank's file holds, in its order: head, entries and end of each statement.
package enum BankItem: Hashable, Sendable {
    /// A statement begins.
    case head(BankStatementHead)
    /// An entry of the statement.
    case entry(BankEntry)
    /// The statement ends.
    case end(BankStatementEnd)
}

/// An entry that is reported instead of read.
package struct UnusableEntry: Hashable, Sendable {
    /// The line it begins in; in a table the row.
    package let line: Int
    /// Why it is no entry.
    package let problem: EntryProblem

    /// Makes an unusable entry.
    package init(line: Int, problem: EntryProblem) {
        self.line = line
        self.problem = problem
    }
}

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

/// What is known of a bank's file once all of it is read: its control totals.
package struct BankTrailer: Hashable, Sendable {
    /// How many unusable entries are kept one by one.
    package static let unusableLimit = 1000

    /// How many statements there are; at least 1.
    package let statements: Int
    /// How many entries there are, usable or not.
    package let rows: Int
    /// How many of them could not be read.
    package let unusableCount: Int
    /// The first of those, at most ``unusableLimit``.
    package let unusable: [UnusableEntry]
    /// The sums of the booked entries, in the order of the currencies' codes.
    package let booked: [BankSum]
    /// The sums of all other entries.
    package let unbooked: [BankSum]
    /// How many figures the file states that its entries do not come to.
    package let disagreementCount: Int
    /// The dates that were read as a month's last day, since the calendar has none such.
    package let monthEnds: MonthEndDates
    /// Whether a table's last row has no line end.
    ///
    /// A file that was cut off inside its last field looks the same.
    package let lacksFinalLineEnd: Bool

    /// Makes a trailer.
    package init(
        statements: Int,
        rows: Int,
        unusableCount: Int,
        unusable: [UnusableEntry],
        booked: [BankSum],
        unbooked: [BankSum],
        disagreementCount: Int,
        monthEnds: MonthEndDates = MonthEndDates(),
        lacksFinalLineEnd: Bool
    ) {
        self.statements = statements
        self.rows = rows
        self.unusableCount = unusableCount
        self.unusable = unusable
        self.booked = booked
        self.unbooked = unbooked
        self.disagreementCount = disagreementCount
        self.monthEnds = monthEnds
        self.lacksFinalLineEnd = lacksFinalLineEnd
    }
}

/// A figure of a statement beside what its entries come to.
package struct BankCheck: Hashable, Sendable {
    /// What is compared.
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        /// The closing balance, with the opening balance plus the booked entries.
        case closingBalance = "closing_balance"
        /// The opening balance of a page, with the closing balance of the page before.
        case pageBalance = "page_balance"
        /// How many entries there are.
        case entryCount = "entry_count"
        /// How many credits there are.
        case creditCount = "credit_count"
        /// How many debits there are.
        case debitCount = "debit_count"
        /// The sum of all entries, without signs.
        case entrySum = "entry_sum"
        /// The sum of the credits.
        case creditSum = "credit_sum"
        /// The sum of the debits, without sign.
        case debitSum = "debit_sum"
        /// The sum of all entries, with their signs.
        case netSum = "net_sum"
    }

    /// What is compared.
    package let subject: Subject
    /// What the file states.
    package let stated: BankFigure
    /// What its entries come to.
    package let found: BankFigure

    /// Makes a check.
    package init(
        subject: Subject,
        stated: BankFigure,
        found: BankFigure
    ) {
        self.subject = subject
        self.stated = stated
        self.found = found
    }

    /// Whether the file agrees with itself.
    package var agrees: Bool { stated == found }
}

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

/// What entries add up to in one currency.
package struct BankSum: Hashable, Sendable {
    /// How many credits there are.
    package let creditCount: Int
    /// How many debits there are.
    package let debitCount: Int
    /// The sum of the credits: not below zero.
    package let credits: SettlementAmount
    /// The sum of the debits: not above zero.
    package let debits: SettlementAmount
    /// Credits and debits together.
    package let net: SettlementAmount

    /// Makes a sum.
    package init(
        creditCount: Int,
        debitCount: Int,
        credits: SettlementAmount,
        debits: SettlementAmount,
        net: SettlementAmount
    ) {
        self.creditCount = creditCount
        self.debitCount = debitCount
        self.credits = credits
        self.debits = debits
        self.net = net
    }

    /// The currency.
    package var currency: Currency { net.currency }
}

/// Dates of a file that no calendar has, 30 February and its like, which were read as the month's last day.
package struct MonthEndDates: Hashable, Sendable {
    /// How many there are.
    package private(set) var count = 0
    /// The line of the first; nil if there is none.
    package private(set) var firstLine: Int?

    /// None yet.
    package init() {}

    /// Counts some in a line.
    mutating func add(_ number: Int, line: Int) {
        guard number > 0 else { return }
        count += number
        firstLine = firstLine ?? line
    }
}
