import AdapterKit

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
        let names = table.hasHeader ? (0..<row.count).map { Self.normal(table.encoding.text(row[$0]) ?? "") } : []
        for column in table.allColumns {
            switch column {
            case .number(let number):
                guard number <= width else { throw .malformed(line: row.number, "there is no column \(number)") }
                places[column] = number - 1
            case .name(let name):
                let found = names.indices.filter { names[$0] == Self.normal(name) }
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

    /// A name in small letters, without spaces around it.
    ///
    /// By bytes: going back by characters takes the square of a run of regional indicators, which are flags.
    private static func normal(_ name: String) -> String {
        let bytes = name.lowercased().utf8.drop { $0 == 0x20 }
        guard let last = bytes.lastIndex(where: { $0 != 0x20 }) else { return "" }
        return String(decoding: bytes[...last], as: UTF8.self)
    }
}
