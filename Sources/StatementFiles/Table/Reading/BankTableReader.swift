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
