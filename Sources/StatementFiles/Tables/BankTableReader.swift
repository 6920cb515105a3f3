import AdapterKit
import Domain

/// Reads a bank's table of entries as its operator declared it: one statement without balances.
package struct BankTableReader: BankReader {
    private let table: BankTable
    private var csv: CSVReader
    private var skipped = 0
    private var header: BankTableHeader?
    private var tally = BankTally()
    private var items: [BankItem] = []
    private var failure: BankProblem?

    /// Makes a reader at the beginning of a file.
    package init(_ table: BankTable) {
        self.table = table
        csv = CSVReader(separator: table.separator.byte, hasQuotes: table.hasQuotes)
    }

    /// Reads on.
    package mutating func read(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [BankItem] {
        if let failure { throw failure }
        do throws(BankProblem) {
            csv.feed(chunk)
            while let row = try nextRow() { try take(row) }
            defer { items = [] }
            return items
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the reading.
    ///
    /// A last row without a line end is read if it is whole; one with too few fields was cut off.
    package mutating func finish() throws(BankProblem) -> (items: [BankItem], trailer: BankTrailer) {
        if let failure { throw failure }
        do throws(BankProblem) {
            let last = try lastRow()
            if let last {
                if let header, last.count < header.width { throw BankProblem.truncated(line: last.number) }
                try take(last)
            }
            guard header != nil else { throw BankProblem.empty }
            items.append(.end(try tally.end(currency: table.currency)))
            let trailer = try tally.trailer(lacksFinalLineEnd: last.map { !$0.isTerminated } ?? false)
            return (items, trailer)
        } catch {
            failure = error
            throw error
        }
    }

    /// Whether a file that begins with these bytes has the declared columns; without a header, whether its first row can be
    /// read.
    static func recognises(_ head: [UInt8], as table: BankTable) -> Bool {
        var reader = BankTableReader(table)
        reader.csv.feed(head[...])
        do throws(BankProblem) {
            while reader.header == nil || !table.hasHeader && reader.tally.rows == 0 {
                let next = try reader.nextRow()
                let row = if let next { CSVRow?.some(next) } else { try reader.lastRow() }
                guard let row else { break }
                try reader.take(row)
            }
        } catch {
            return false
        }
        return reader.header != nil && (table.hasHeader || reader.tally.unusableCount == 0)
    }

    private mutating func nextRow() throws(BankProblem) -> CSVRow? {
        do throws(SettlementProblem) {
            return try csv.next()
        } catch {
            throw Self.problem(error)
        }
    }

    private mutating func lastRow() throws(BankProblem) -> CSVRow? {
        do throws(SettlementProblem) {
            return try csv.finish()
        } catch {
            throw Self.problem(error)
        }
    }

    private static func problem(_ problem: SettlementProblem) -> BankProblem {
        switch problem {
        case .tooLarge(let row): .tooLarge(line: row, "a row of more than \(CSVReader.rowLimitBytes) bytes")
        case .truncated(let row): .truncated(line: row)
        default: .malformed(line: 1, problem.description)
        }
    }

    private mutating func take(_ row: CSVRow) throws(BankProblem) {
        if skipped < table.skippedRows {
            skipped += 1
            return
        }
        guard !row.isBlank else { return }
        guard let header else {
            let header = try BankTableHeader(table, firstRow: row)
            self.header = header
            items.append(.head(head(line: row.number)))
            if !table.hasHeader { take(row, header) }
            return
        }
        take(row, header)
    }

    private mutating func take(_ row: CSVRow, _ header: BankTableHeader) {
        let result: Result<BankEntry, EntryProblem>
        do throws(EntryProblem) {
            result = .success(try BankTableRow(row, table, header).entry(statement: tally.statements))
        } catch {
            result = .failure(error)
        }
        if let entry = tally.take(result, line: row.number) { items.append(.entry(entry)) }
    }

    private mutating func head(line: Int) -> BankStatementHead {
        var head = BankStatementHead(number: tally.begin(), line: line, kind: .statement)
        head.account = table.account.map { account in
            BankAccount(identifier: account, isIBAN: MTAccount.isIBAN(account), currency: table.currency)
        }
        return head
    }
}

/// Where a table has its columns.
struct BankTableHeader {
    /// How many fields each row has.
    let width: Int
    private var places: [BankTableColumn: Int] = [:]

    /// Looks for every column that is declared.
    ///
    /// - Throws: ``BankProblem/malformed(line:_:)`` if one is missing, or is there twice.
    init(_ table: BankTable, firstRow row: CSVRow) throws(BankProblem) {
        if let problem = table.problem { throw .malformed(line: row.number, "the declaration is wrong: \(problem)") }
        guard !row.isMalformed else { throw .malformed(line: row.number, "quotes or control characters are wrong") }
        width = row.count
        let names = table.hasHeader ? (0..<row.count).map { (table.encoding.text(row[$0]) ?? "").columnName } : []
        for column in table.allColumns {
            switch column {
            case .number(let number):
                guard number <= width else { throw .malformed(line: row.number, "there is no column \(number)") }
                places[column] = number - 1
            case .name(let name):
                let found = names.indices.filter { names[$0] == name.columnName }
                guard let place = found.first else {
                    throw .malformed(line: row.number, "the header lacks the column \(name)")
                }
                guard found.count == 1 else {
                    throw .malformed(line: row.number, "the header has the column \(name) more than once")
                }
                places[column] = place
            }
        }
    }

    /// The place of a column, from 0.
    func place(_ column: BankTableColumn) -> Int? { places[column] }
}

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
