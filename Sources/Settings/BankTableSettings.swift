import Domain
import StatementFiles
import StrictJSON

/// How a bank's own table is described.
enum BankTableSettings {
    /// Reads a description; nil if something is wrong, which has been noted then.
    static func table(_ body: ObjectReader) -> BankTable? {
        let name = body.slug("name")
        let amount = body.object("amount", .required, amount)
        let columns = body.object("columns", .required, columns)
        var table = BankTable(name: name ?? "", amount: amount ?? .signed(.number(1)), columns: columns ?? .init())
        readForm(body, into: &table)
        table.currencyColumn = column("currency_column", in: body)
        table.currency = body.parsed("currency", .optional, expecting: "a currency of ISO 4217", Currency.init(code:))
        table.accountColumn = column("account_column", in: body)
        table.account = body.string("account", .optional, length: 1...64)
        guard name != nil, amount != nil, columns != nil else { return nil }
        if let problem = table.problem { body.refuse("name", "contradiction", problem.description) }
        return table
    }

    private static func readForm(_ body: ObjectReader, into table: inout BankTable) {
        table.separator = body.choice("separator", .optional) ?? table.separator
        table.hasQuotes = body.bool("quotes", .optional) ?? table.hasQuotes
        table.encoding = body.choice("encoding", .optional) ?? table.encoding
        table.skippedRows = body.integer("skip_rows", .optional, in: 0...1000).map { Int($0) } ?? table.skippedRows
        table.hasHeader = body.bool("header", .optional) ?? table.hasHeader
        table.dateFormat = body.choice("dates", .optional) ?? table.dateFormat
        table.decimals = body.choice("decimals", .optional) ?? table.decimals
    }

    /// The amount: `column` alone is signed, with `indicator` told by a word; `credit` and `debit` are two columns.
    private static func amount(_ body: ObjectReader) -> BankTableAmount? {
        let signed = column("column", in: body)
        let indicator = column("indicator", in: body)
        let (credit, debit) = (column("credit", in: body), column("debit", in: body))
        let words = (words("credit_words", in: body), self.words("debit_words", in: body))
        switch (signed, indicator, credit, debit) {
        case (let column?, nil, nil, nil): return .signed(column)
        case (let column?, let indicator?, nil, nil):
            return .indicated(column, indicator: indicator, credit: words.0, debit: words.1)
        case (nil, nil, let credit?, let debit?): return .columns(credit: credit, debit: debit)
        default:
            let sentence = "Needs column, or column and indicator, or credit and debit."
            body.violations.add(at: body.pointer, "contradiction", sentence)
            return nil
        }
    }

    private static func words(_ key: String, in body: ObjectReader) -> Set<String> {
        Set(body.strings(key, .optional, count: 1...20, length: 1...40) ?? [])
    }

    private static func columns(_ body: ObjectReader) -> BankTableColumns? {
        BankTableColumns(
            bookedOn: column("booked_on", in: body),
            valueOn: column("value_on", in: body),
            accountServicerReference: column("bank_reference", in: body),
            endToEnd: column("end_to_end", in: body),
            ownerReference: column("reference", in: body),
            counterpartyName: column("counterparty_name", in: body),
            counterpartyAccount: column("counterparty_account", in: body),
            counterpartyAgent: column("counterparty_bank", in: body),
            remittance: list("remittance", in: body),
            type: column("type", in: body)
        )
    }

    /// A column by its name in the header or by its number, the first being 1.
    private static func column(_ key: String, in body: ObjectReader) -> BankTableColumn? {
        guard let json = body.value(key, .optional) else { return nil }
        guard let column = column(json) else {
            body.refuse(key, "wrong_type", "Must be a column's name or its number, the first being 1.")
            return nil
        }
        return column
    }

    private static func list(_ key: String, in body: ObjectReader) -> [BankTableColumn] {
        guard let json = body.value(key, .optional) else { return [] }
        let columns = json.arrayValue?.map { column($0) } ?? [nil]
        if columns.contains(nil) || columns.count > 20 {
            body.refuse(key, "wrong_type", "Must be a list of up to 20 columns, each by its name or number.")
        }
        return columns.compactMap(\.self)
    }

    private static func column(_ json: JSON) -> BankTableColumn? {
        if let number = json.integerValue { return Int(exactly: number).map { .number($0) } }
        return json.stringValue.flatMap { $0.isEmpty ? nil : .name($0) }
    }
}
