import AdapterKit
import Domain
import StripeAdapter
import Testing

@Suite("A table of settlement lines")
struct TabularReportTests {
    static let tables = SettlementFormat.all.filter(\.isTable)

    /// The rows of a file as its fields.
    private static func fields(_ format: SettlementFormat) throws -> [[[UInt8]]] {
        var csv = CSVReader()
        csv.feed(try format.bytes[...])
        var rows: [[[UInt8]]] = []
        while let row = try csv.next() { rows.append((0..<row.count).map { Array(row[$0]) }) }
        return rows
    }

    /// The rows with every field quoted.
    private static func quoted(_ rows: [[[UInt8]]], lineEnd: String = "\r\n") -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        return rows.flatMap { row in
            Array(
                row.map { field in [quote] + field.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote] }
                    .joined(separator: [UInt8(ascii: ",")])
            ) + Array(lineEnd.utf8)
        }
    }

    @Test("may have its columns in any order and case, and others among them", arguments: tables)
    func order(format: SettlementFormat) throws {
        var rows = try Self.fields(format).map { Array($0.reversed()) }
        rows[0] = rows[0].map { Array(" \(String(decoding: $0, as: UTF8.self).uppercased()) ".utf8) }
        rows = rows.enumerated().map { [Array("Extra, \"\($0.offset)\"".utf8)] + $0.element + [[]] }
        let reading = try SettlementReading(format.report, Self.quoted(rows))
        #expect(try reading == format.reading())
    }

    @Test("lists the columns that are missing", arguments: tables)
    func missingColumns(format: SettlementFormat) throws {
        let header = String(decoding: try format.bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let problem = #expect(throws: SettlementProblem.self) {
            try SettlementReading(format.report, Array("one,two\n1,2\n".utf8))
        }
        guard case .missingColumns(let names) = problem else {
            return #expect(Bool(false), "\(String(describing: problem))")
        }
        #expect(names.count >= 4)
        for name in names { #expect(header.lowercased().contains(name)) }
    }

    @Test(
        "refuses a header that is not clear",
        arguments: [
            ("currency,gross", SettlementProblem.repeatedColumn("gross")), ("currency\0", .malformedHeader),
            ("cur\"rency", .malformedHeader), ("\"currency", .truncated(row: 1)),
            ("money", .missingColumns(["currency"])),
        ]
    )
    func header(text: String, problem: SettlementProblem) throws {
        let format = try SettlementFormat.of(StripeAdapter.self)
        #expect(throws: problem) {
            try SettlementReading(
                format.report,
                Array("\(text),balance_transaction_id,gross,fee,net,reporting_category,source_id".utf8)
            )
        }
    }

    @Test("reports a row that is wrong and reads on", arguments: tables)
    func badRows(format: SettlementFormat) throws {
        let whole = try format.reading()
        var rows = try Self.fields(format)
        let width = rows[0].count
        rows.insert(Array(rows[1].dropLast()), at: 1)
        rows.insert(rows[2] + [[]], at: 3)
        var file = Self.quoted(rows)
        file += Self.quoted([rows[2]], lineEnd: "x\n") + Array("\r\n\n".utf8) + Self.quoted([rows[2]])
        let reading = try SettlementReading(format.report, file)
        #expect(reading.lines.count == whole.lines.count + 1)
        let last = rows.count
        #expect(
            reading.unusable == [
                UnusableRow(row: 2, problem: .fieldCount(expected: width, found: width - 1)),
                UnusableRow(row: 4, problem: .fieldCount(expected: width, found: width + 1)),
                UnusableRow(row: last + 1, problem: .malformed),
            ]
        )
        #expect(reading.lines.last?.row == last + 4)
        #expect(reading.trailer.rows == whole.trailer.rows + 4)
    }

    @Test("that ends in the middle of a row was cut off", arguments: tables)
    func cut(format: SettlementFormat) throws {
        let rows = try Self.fields(format)
        let file = Self.quoted(rows + [Array(rows[1].dropLast(2))], lineEnd: "\n").dropLast()
        #expect(throws: SettlementProblem.truncated(row: rows.count + 1)) {
            try SettlementReading(format.report, Array(file))
        }
        #expect(throws: SettlementProblem.truncated(row: rows.count + 1)) {
            try SettlementReading(format.report, file.dropLast(2) + [UInt8(ascii: "x")])
        }
    }

    @Test("may lack its last line end, and says so", arguments: tables)
    func lastLineEnd(format: SettlementFormat) throws {
        let bytes = try format.bytes
        let ends = bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
        let reading = try SettlementReading(format.report, bytes.dropLast(ends))
        #expect(try reading.lines == format.reading().lines)
        #expect(reading.trailer.lines.count == 1)
        #expect(reading.trailer.lacksFinalLineEnd)
    }

    @Test("may have no rows at all", arguments: tables)
    func noRows(format: SettlementFormat) throws {
        let header = Self.quoted([try Self.fields(format)[0]])
        for file in [header, header.dropLast(2)] {
            let reading = try SettlementReading(format.report, Array(file))
            #expect(reading.lines.isEmpty && reading.trailer.rows == 0 && reading.trailer.sums.isEmpty)
        }
    }

    @Test("keeps the first thousand unusable rows, and counts all")
    func manyBadRows() throws {
        let format = try SettlementFormat.of(StripeAdapter.self)
        let file = try format.bytes + Array(String(repeating: "x,y\n", count: 1200).utf8)
        let reading = try SettlementReading(format.report, file)
        #expect(reading.unusable.count == 1000)
        #expect(reading.trailer.unusableCount == 1200)
        #expect(reading.unusable.first?.problem == .fieldCount(expected: 24, found: 2))
    }
}
