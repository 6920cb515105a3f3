package import Domain

/// How a bank's table of entries is to be read, as the operator declares it.
///
/// It is a value of its own, whatever it was declared in.
package struct BankTable: Hashable, Sendable {
    /// The operator's name for it: the name of the format.
    package var name: String
    /// What separates fields.
    package var separator: BankTableSeparator
    /// Whether fields may stand in quotation marks (`"`), doubled inside.
    package var hasQuotes: Bool
    /// What the bytes are.
    package var encoding: BankTableEncoding
    /// How many lines stand before the header, or before the first entry.
    package var skippedRows: Int
    /// Whether a row with the columns' names stands before the entries.
    package var hasHeader: Bool
    /// How dates are written.
    package var dateFormat: BankTableDateFormat
    /// How amounts are written.
    package var decimals: BankTableDecimals
    /// Where the amount is, and how its direction is told.
    package var amount: BankTableAmount
    /// The currency's column, if it is not ``currency`` for all.
    package var currencyColumn: BankTableColumn?
    /// The currency of entries whose row names none.
    package var currency: Currency?
    /// The account's column, if it is not ``account`` for all.
    package var accountColumn: BankTableColumn?
    /// The account of entries whose row names none: an IBAN or another number.
    package var account: String?
    /// Where everything else is.
    package var columns: BankTableColumns

    /// Makes a mapping.
    package init(
        name: String,
        separator: BankTableSeparator = .comma,
        hasQuotes: Bool = true,
        encoding: BankTableEncoding = .utf8,
        skippedRows: Int = 0,
        hasHeader: Bool = true,
        dateFormat: BankTableDateFormat = .yearMonthDay,
        decimals: BankTableDecimals = .point,
        amount: BankTableAmount,
        currencyColumn: BankTableColumn? = nil,
        currency: Currency? = nil,
        accountColumn: BankTableColumn? = nil,
        account: String? = nil,
        columns: BankTableColumns
    ) {
        self.name = name
        self.separator = separator
        self.hasQuotes = hasQuotes
        self.encoding = encoding
        self.skippedRows = skippedRows
        self.hasHeader = hasHeader
        self.dateFormat = dateFormat
        self.decimals = decimals
        self.amount = amount
        self.currencyColumn = currencyColumn
        self.currency = currency
        self.accountColumn = accountColumn
        self.account = account
        self.columns = columns
    }

    /// What in the declaration contradicts itself; nil if nothing does.
    package var problem: BankTableProblem? {
        let used = allColumns
        if skippedRows < 0 { return .negativeSkippedRows }
        if columns.bookedOn == nil, columns.valueOn == nil { return .noDate }
        if currencyColumn == nil, currency == nil { return .noCurrency }
        for column in used {
            if case .number(let number) = column, number < 1 { return .columnBelowOne(number) }
            if case .name(let name) = column, !hasHeader { return .nameWithoutHeader(name) }
        }
        if case .indicated(_, _, let credit, let debit) = amount {
            let common = Set(credit.map { $0.lowercased() }).intersection(debit.map { $0.lowercased() })
            if credit.isEmpty || debit.isEmpty || !common.isEmpty { return .indicators }
        }
        return nil
    }

    /// Every column that it names.
    var allColumns: [BankTableColumn] {
        let amounts: [BankTableColumn] =
            switch amount {
            case .signed(let column): [column]
            case .indicated(let column, let indicator, _, _): [column, indicator]
            case .columns(let credit, let debit): [credit, debit]
            }
        let others = [
            currencyColumn, accountColumn, columns.bookedOn, columns.valueOn, columns.accountServicerReference,
            columns.endToEnd, columns.ownerReference, columns.counterpartyName, columns.counterpartyAccount,
            columns.counterpartyAgent, columns.type,
        ]
        return amounts + others.compactMap { $0 } + columns.remittance
    }
}

/// A column of a bank's table.
package enum BankTableColumn: Hashable, Sendable, CustomStringConvertible {
    /// By its name in the header, without regard to case and to spaces around it.
    case name(String)
    /// By its place, the first being 1.
    case number(Int)

    /// The name or the number, for messages.
    package var description: String {
        switch self {
        case .name(let name): name
        case .number(let number): "column \(number)"
        }
    }
}

/// Where a bank's table has what; nil for what it does not have.
package struct BankTableColumns: Hashable, Sendable {
    /// The booking date; this or ``valueOn`` must be there.
    package var bookedOn: BankTableColumn?
    /// The value date.
    package var valueOn: BankTableColumn?
    /// The bank's name of the entry.
    package var accountServicerReference: BankTableColumn?
    /// The end-to-end reference.
    package var endToEnd: BankTableColumn?
    /// Another reference, for the account's owner.
    package var ownerReference: BankTableColumn?
    /// The other party's name.
    package var counterpartyName: BankTableColumn?
    /// The other party's account.
    package var counterpartyAccount: BankTableColumn?
    /// The other party's bank.
    package var counterpartyAgent: BankTableColumn?
    /// Remittance information: the columns with text, in order.
    package var remittance: [BankTableColumn]
    /// The bank's word for the kind of entry.
    package var type: BankTableColumn?

    /// Makes a list of columns.
    package init(
        bookedOn: BankTableColumn? = nil,
        valueOn: BankTableColumn? = nil,
        accountServicerReference: BankTableColumn? = nil,
        endToEnd: BankTableColumn? = nil,
        ownerReference: BankTableColumn? = nil,
        counterpartyName: BankTableColumn? = nil,
        counterpartyAccount: BankTableColumn? = nil,
        counterpartyAgent: BankTableColumn? = nil,
        remittance: [BankTableColumn] = [],
        type: BankTableColumn? = nil
    ) {
        self.bookedOn = bookedOn
        self.valueOn = valueOn
        self.accountServicerReference = accountServicerReference
        self.endToEnd = endToEnd
        self.ownerReference = ownerReference
        self.counterpartyName = counterpartyName
        self.counterpartyAccount = counterpartyAccount
        self.counterpartyAgent = counterpartyAgent
        self.remittance = remittance
        self.type = type
    }
}

/// How a bank's table tells an entry's amount and its direction.
package enum BankTableAmount: Hashable, Sendable {
    /// One column whose amounts below zero are debits.
    case signed(BankTableColumn)
    /// One column without a sign, and one that says the direction by one of these words, which count without regard to
    /// case.
    case indicated(BankTableColumn, indicator: BankTableColumn, credit: Set<String>, debit: Set<String>)
    /// One column for credits and one for debits, of which exactly one is filled, or the other is zero.
    case columns(credit: BankTableColumn, debit: BankTableColumn)
}

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
