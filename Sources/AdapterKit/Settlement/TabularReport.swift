public import Domain

/// One PSP's table: which columns it has, and what a row says.
public protocol ReportTable: Sendable {
    /// The name of the format; see ``SettlementReport/format``.
    static var format: String { get }

    /// Finds its columns in the header, every one that it reads.
    init(_ header: ReportHeader)

    /// Reads a row that has as many fields as the header.
    ///
    /// - Throws: ``RowProblem``; the row is then counted as unusable.
    func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine
}

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

/// A table whose header was read.
///
/// An object, so that its columns are not copied for every row.
final class OpenTable<Table: ReportTable>: Sendable {
    /// What reads the rows.
    let table: Table
    /// How many columns there are.
    let width: Int

    /// Reads a header.
    ///
    /// - Throws: ``SettlementProblem`` for a header that lacks or repeats columns, or is malformed.
    init(_ row: CSVRow) throws(SettlementProblem) {
        let header = try ReportHeader(row)
        table = Table(header)
        width = header.width
        if let problem = header.problem { throw problem }
    }
}

/// The header of a report, asked for its columns by a table, which looks at what is wrong once at the end.
///
/// Names are compared without regard to case and to spaces around them; their order does not matter, and columns that
/// nobody asks for are passed over.
public final class ReportHeader {
    /// How many fields each row must have.
    let width: Int
    private let places: [String: [Int]]
    private var missing: [String] = []
    private var repeated: String?

    /// Reads a header.
    ///
    /// - Throws: ``SettlementProblem/malformedHeader``.
    init(_ row: CSVRow) throws(SettlementProblem) {
        guard !row.isMalformed else { throw .malformedHeader }
        var places: [String: [Int]] = [:]
        for index in 0..<row.count {
            let name = String(validating: row[index], as: UTF8.self)?.withBoundedRuns
            guard let name else { throw .malformedHeader }
            places[name.columnName, default: []].append(index)
        }
        self.places = places
        width = row.count
    }

    /// A column without which the file is not this report.
    public func required(_ name: String) -> ReportColumn {
        let column = optional(name)
        if column.index == nil { missing.append(column.name) }
        return column
    }

    /// A column that is read where it is.
    public func optional(_ name: String) -> ReportColumn {
        let name = name.columnName
        let found = places[name] ?? []
        if found.count > 1 { repeated = repeated ?? name }
        return ReportColumn(name: name, index: found.first)
    }

    /// What is wrong with what was asked for.
    var problem: SettlementProblem? {
        guard missing.isEmpty else { return .missingColumns(missing) }
        return repeated.map { .repeatedColumn($0) }
    }
}

/// A column of a report, by its name and its place in this file.
public struct ReportColumn: Hashable, Sendable {
    /// The name in lower case.
    public let name: String
    /// The place in a row, from 0; nil if this file has no such column.
    public let index: Int?
}
