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
