import AdapterKit
import Domain

/// Reads what a statement says beside its entries: account, balances, totals.
struct CamtTotals: CamtFields {
    let record: XMLRecord
    let currencies: CurrencyCache

    init(_ record: XMLRecord, _ currencies: CurrencyCache) {
        self.record = record
        self.currencies = currencies
    }

    /// The account: Acct.
    var account: BankAccount? {
        guard let identifier = accountIdentifier(0) else { return nil }
        return BankAccount(
            identifier: identifier.text,
            isIBAN: identifier.isIBAN,
            currency: record.bytes(record.child(0, .currency)).flatMap { currencies.currency($0) },
            owner: record.string(0, .owner, .name) ?? record.string(record.child(0, .owner, .party), .name),
            servicer: agent(record.child(0, .servicer))
        )
    }

    /// A balance: Bal.
    func balance() throws(EntryProblem) -> BankBalance {
        let type = record.child(0, .type)
        let place = record.child(type, .codeOrProprietary) ?? type
        guard let code = codeOrProprietary(place) else { throw .missing(field: "Bal/Tp") }
        let amount = try amount(record.child(0, .amount), "Bal/Amt")
        guard let direction = try creditDebit(0) else { throw .missing(field: "Bal/CdtDbtInd") }
        return BankBalance(
            line: record.nodes[0].line,
            kind: BankBalanceKind(rawValue: code),
            isIntermediate: codeOrProprietary(record.child(type, .subtype)) == "INTM",
            amount: direction == .credit ? amount : amount.negated,
            date: try date(record.child(0, .date), "Bal/Dt")
        )
    }

    /// The totals: TxsSummry.
    func summary() throws(EntryProblem) -> [StatedFigure] {
        let entries = record.child(0, .totalEntries)
        var figures = try totals(entries, count: .entryCount, sum: .entrySum)
        // The net sum has an element around it since version 3.
        let net = record.child(entries, .netEntry)
        if let amount = record.child(net, .amount) ?? record.child(entries, .netAmount) {
            let isDebit = try creditDebit(net ?? entries) == .debit
            if let text = try decimal(amount) {
                figures.append(StatedFigure(subject: .netSum, value: .decimal(text, isDebit: isDebit)))
            }
        }
        figures += try totals(record.child(0, .totalCredits), count: .creditCount, sum: .creditSum)
        figures += try totals(record.child(0, .totalDebits), count: .debitCount, sum: .debitSum)
        return figures
    }

    private func totals(
        _ node: Int?,
        count: BankCheck.Subject,
        sum: BankCheck.Subject
    ) throws(EntryProblem) -> [StatedFigure] {
        var figures: [StatedFigure] = []
        if let text = record.bytes(record.child(node, .numberOfEntries)) {
            guard let number = Digits.number(text) else { throw .malformed(field: "NbOfNtries") }
            figures.append(StatedFigure(subject: count, value: .count(number)))
        }
        if let text = try decimal(record.child(node, .sum)) {
            figures.append(StatedFigure(subject: sum, value: .decimal(text, isDebit: false)))
        }
        return figures
    }

    /// A number without a currency, which is that of the entries.
    private func decimal(_ node: Int?) throws(EntryProblem) -> ArraySlice<UInt8>? {
        guard let bytes = record.bytes(node) else { return nil }
        let text = DecimalText.canonical(bytes)
        guard text.allSatisfy({ Digits.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }) else {
            throw .malformed(field: "Sum")
        }
        return text
    }
}
