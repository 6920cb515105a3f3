import AdapterKit
import Domain

/// Reads an entry from a row.
struct BankTableRow {
    private let row: CSVRow
    private let table: BankTable
    private let header: BankTableHeader

    init(_ row: CSVRow, _ table: BankTable, _ header: BankTableHeader) {
        self.row = row
        self.table = table
        self.header = header
    }

    func entry(statement: Int) throws(EntryProblem) -> BankEntry {
        guard !row.isMalformed else { throw .malformed(field: "The row") }
        guard row.count == header.width else { throw .fieldCount(expected: header.width, found: row.count) }
        let (amount, direction) = try amount(in: try currency())
        var entry = BankEntry(line: row.number, statement: statement, amount: amount, creditDebit: direction)
        entry.bookedOn = try date(table.columns.bookedOn)
        entry.valueOn = try date(table.columns.valueOn)
        guard entry.bookedOn != nil || entry.valueOn != nil else { throw .missing(field: "The date") }
        entry.account = try text(table.accountColumn)
        entry.accountServicerReference = try text(table.columns.accountServicerReference)
        entry.ownerReference = try text(table.columns.ownerReference)
        entry.bankTransactionCode = try text(table.columns.type).map { BankTransactionCode(proprietary: $0) }
        let transaction = try transaction(direction)
        if transaction != BankTransaction(line: row.number) { entry.transactions = [transaction] }
        entry.fingerprint = fingerprint()
        return entry
    }

    private func transaction(_ direction: CreditDebit) throws(EntryProblem) -> BankTransaction {
        var transaction = BankTransaction(line: row.number)
        transaction.references.endToEnd = try text(table.columns.endToEnd)
        for column in table.columns.remittance {
            if let text = try text(column) { transaction.remittance.append(text) }
        }
        let party = BankParty(
            name: try text(table.columns.counterpartyName),
            account: try text(table.columns.counterpartyAccount),
            agent: try text(table.columns.counterpartyAgent)
        )
        if !party.isEmpty {
            if direction == .credit { transaction.debtor = party } else { transaction.creditor = party }
        }
        return transaction
    }

    private func currency() throws(EntryProblem) -> Currency {
        guard let code = try text(table.currencyColumn) else {
            guard let currency = table.currency else { throw .missing(field: "The currency") }
            return currency
        }
        guard let currency = Currency(code: code) ?? Currency(code: code.uppercased()) else {
            throw .unknownCurrency(String(code.prefix(3)))
        }
        return currency
    }

    private func amount(in currency: Currency) throws(EntryProblem) -> (SettlementAmount, CreditDebit) {
        switch table.amount {
        case .signed(let column):
            let amount = try amount(column, in: currency)
            guard let amount else { throw .missing(field: "\(column)") }
            return amount.units < 0 ? (amount.negated, .debit) : (amount, .credit)
        case .indicated(let column, let indicator, let credit, let debit):
            guard let amount = try amount(column, in: currency) else { throw .missing(field: "\(column)") }
            guard amount.units >= 0 else { throw .negative(field: "\(column)") }
            guard let word = try text(indicator)?.lowercased() else { throw .missing(field: "\(indicator)") }
            if credit.contains(where: { $0.lowercased() == word }) { return (amount, .credit) }
            if debit.contains(where: { $0.lowercased() == word }) { return (amount, .debit) }
            throw .unknownCode(field: "\(indicator)", code: String(word.prefix(16)))
        case .columns(let credit, let debit):
            let credited = try amount(credit, in: currency)
            let debited = try amount(debit, in: currency)
            if let credited, credited.units != 0 || debited == nil {
                guard debited.map({ $0.units == 0 }) ?? true else { throw .malformed(field: "\(credit), \(debit)") }
                guard credited.units >= 0 else { throw .negative(field: "\(credit)") }
                return (credited, .credit)
            }
            // Some banks write what they debit with a minus sign even in a column of its own.
            guard let debited else { throw .missing(field: "\(credit), \(debit)") }
            return (debited.units < 0 ? debited.negated : debited, .debit)
        }
    }

    private func amount(_ column: BankTableColumn, in currency: Currency) throws(EntryProblem) -> SettlementAmount? {
        guard let bytes = bytes(column) else { return nil }
        guard let text = table.decimals.canonical(bytes) else {
            throw .amount(field: "\(column)", .malformed)
        }
        do throws(AmountProblem) {
            return try SettlementAmount(decimal: text, currency: currency)
        } catch {
            throw .amount(field: "\(column)", error)
        }
    }

    private func date(_ column: BankTableColumn?) throws(EntryProblem) -> SettlementDate? {
        guard let column, let bytes = bytes(column) else { return nil }
        guard let day = table.dateFormat.day(bytes) else { throw .date(field: "\(column)") }
        return day.date
    }

    private func text(_ column: BankTableColumn?) throws(EntryProblem) -> String? {
        guard let column, let bytes = bytes(column) else { return nil }
        guard let text = table.encoding.text(bytes) else { throw .notText(field: "\(column)") }
        return text
    }

    /// A field without spaces around it; nil if it is empty.
    private func bytes(_ column: BankTableColumn) -> ArraySlice<UInt8>? {
        guard let place = header.place(column) else { return nil }
        let bytes = MTText.trimmed(row[place])
        return bytes.isEmpty ? nil : bytes
    }

    private func fingerprint() -> UInt128 {
        var fingerprint = EntryFingerprint()
        for index in 0..<row.count { fingerprint.add("", MTText.trimmed(row[index])) }
        return fingerprint.finish()
    }
}
