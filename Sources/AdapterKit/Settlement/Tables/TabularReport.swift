/// A settlement report that is a table of comma-separated values with a header.
public struct TabularReport<Table: ReportTable>: SettlementReport {
    /// The table's format.
    public static var format: String { Table.format }

    private var csv = CSVReader()
    private var table: OpenTable<Table>?
    private var tally = SettlementTally()
    private var failure: SettlementProblem?
    /// The most lines that a piece had so far.
    private var usualLines = 0

    /// Makes a reader at the beginning of a file.
    public init() {}

    /// Whether the first row has the table's columns.
    public static func recognises(_ head: [UInt8]) -> Bool {
        var csv = CSVReader()
        csv.feed(head[...])
        guard let header = try? csv.next() ?? csv.finish() else { return false }
        return (try? OpenTable<Table>(header)) != nil
    }

    /// Reads on.
    public mutating func read(_ chunk: ArraySlice<UInt8>) throws(SettlementProblem) -> [SettlementLine] {
        if let failure { throw failure }
        do throws(SettlementProblem) {
            csv.feed(chunk)
            var lines: [SettlementLine] = []
            lines.reserveCapacity(usualLines)
            while let row = try csv.next() { try take(row, into: &lines) }
            usualLines = max(usualLines, lines.count)
            return lines
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the reading.
    ///
    /// A last row without a line end is read if it is whole; one with too few fields was cut off.
    public mutating func finish() throws(SettlementProblem) -> SettlementTrailer {
        if let failure { throw failure }
        do throws(SettlementProblem) {
            let last = try csv.finish()
            if let last, table != nil, last.count < table?.width ?? 0 {
                throw SettlementProblem.truncated(row: last.number)
            }
            var lines: [SettlementLine] = []
            if let last { try take(last, into: &lines) }
            guard table != nil else { throw SettlementProblem.empty }
            return try tally.trailer(
                lines: lines,
                lacksFinalLineEnd: last.map { !$0.isTerminated } ?? false
            )
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func take(_ row: CSVRow, into lines: inout [SettlementLine]) throws(SettlementProblem) {
        guard !row.isBlank else { return }
        guard let table else {
            table = try OpenTable(row)
            return
        }
        guard !row.isMalformed else { return tally.count(.malformed, row: row.number) }
        guard row.count == table.width else {
            return tally.count(.fieldCount(expected: table.width, found: row.count), row: row.number)
        }
        do throws(RowProblem) {
            lines.append(try table.table.line(row))
            tally.count(lines.span[lines.count - 1])
        } catch {
            tally.count(error, row: row.number)
        }
    }
}
