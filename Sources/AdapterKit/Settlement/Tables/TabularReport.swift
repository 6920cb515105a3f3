/// A settlement report that is a table of comma-separated values with a header.
public struct TabularReport<Table: ReportTable>: SettlementReport {
    /// The table's format.
    public static var format: String { Table.format }

    private var csv = CSVReader()
    private var table: Table?
    private var width = 0
    private var tally = SettlementTally()
    private var failure: SettlementProblem?

    /// Makes a reader at the beginning of a file.
    public init() {}

    /// Whether the first row has the table's columns.
    public static func recognises(_ head: [UInt8]) -> Bool {
        var csv = CSVReader()
        csv.feed(head[...])
        guard let header = try? csv.next() ?? csv.finish() else { return false }
        return (try? open(header)) != nil
    }

    /// Reads on.
    public mutating func read(_ chunk: ArraySlice<UInt8>) throws(SettlementProblem) -> [SettlementLine] {
        if let failure { throw failure }
        do throws(SettlementProblem) {
            csv.feed(chunk)
            var lines: [SettlementLine] = []
            while let row = try csv.next() {
                if let line = try take(row) { lines.append(line) }
            }
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
            if let last, table != nil, last.count < width { throw SettlementProblem.truncated(row: last.number) }
            let line = if let last { try take(last) } else { SettlementLine?.none }
            guard table != nil else { throw SettlementProblem.empty }
            return try tally.trailer(
                lines: line.map { [$0] } ?? [],
                lacksFinalLineEnd: last.map { !$0.isTerminated } ?? false
            )
        } catch {
            failure = error
            throw error
        }
    }

    /// The table and the number of its columns.
    private static func open(_ row: CSVRow) throws(SettlementProblem) -> (table: Table, width: Int) {
        let header = try ReportHeader(row)
        let table = Table(header)
        if let problem = header.problem { throw problem }
        return (table, header.width)
    }

    private mutating func take(_ row: CSVRow) throws(SettlementProblem) -> SettlementLine? {
        guard !row.isBlank else { return nil }
        guard let table else {
            (table, width) = try Self.open(row)
            return nil
        }
        return tally.take(result(row, table), row: row.number)
    }

    private func result(_ row: CSVRow, _ table: Table) -> Result<SettlementLine, RowProblem> {
        guard !row.isMalformed else { return .failure(.malformed) }
        guard row.count == width else { return .failure(.fieldCount(expected: width, found: row.count)) }
        do throws(RowProblem) {
            return .success(try table.line(row))
        } catch {
            return .failure(error)
        }
    }
}
