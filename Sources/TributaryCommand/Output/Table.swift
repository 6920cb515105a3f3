import AdapterKit
import Domain
import StrictJSON

/// Rows under named columns, for people, spreadsheets and programs alike.
struct Table {
    /// One value.
    enum Cell: Hashable {
        /// Words.
        case text(String)
        /// A number.
        case integer(Int64)
        /// An amount in minor units of a currency.
        case amount(Int64, Currency)
        /// Nothing.
        case absent

        /// Words, or nothing.
        static func optional(_ text: String?) -> Cell { text.map(Cell.text) ?? .absent }
        /// A moment, or nothing.
        static func moment(_ time: Timestamp?) -> Cell { optional(time?.description) }
    }

    /// The columns' names, in snake case.
    let columns: [String]
    /// The rows, each with one cell a column.
    private(set) var rows: [[Cell]] = []

    /// A table without rows.
    init(_ columns: String...) { self.init(columns: columns) }

    /// A table without rows.
    init(columns: [String]) { self.columns = columns }

    /// Adds a row.
    mutating func add(_ cells: Cell...) { add(cells) }

    /// Adds a row.
    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has one cell a column")
        rows.append(cells)
    }

    /// An array with an object for each row; amounts are integers in minor units.
    var json: JSON {
        .array(rows.map { row in .object(zip(columns, row).map { JSON.Member($0, $1.json) }) })
    }

    /// Comma-separated values, one line a row under the columns' names; amounts are integers in minor units.
    var csv: String {
        ([CSVCell.line(columns.map(CSVCell.text))] + csvRows).joined(separator: "\n")
    }

    /// The rows of comma-separated values, without the columns' names.
    var csvRows: [String] { rows.map { row in CSVCell.line(row.map(\.csv)) } }
}

extension Table.Cell {
    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let value), .amount(let value, _): .integer(value)
        case .absent: .null
        }
    }

    fileprivate var csv: CSVCell {
        switch self {
        case .text(let text): .text(text)
        case .integer(let value), .amount(let value, _): .number(value)
        case .absent: .text("")
        }
    }
}

/// Writing a table for people.
extension Table {
    /// Aligned columns under their names, numbers to the right; no line is longer than it must be.
    var text: String {
        let head = columns.map { $0.replacing("_", with: " ").uppercased() }
        let body = rows.map { row in row.map(\.shown) }
        let widths = columns.indices.map { column in
            ([head] + body).map { $0[column].count }.max() ?? 0
        }
        let lines = ([head] + body).map { line in
            columns.indices.map { column in
                let gap = String(repeating: " ", count: widths[column] - line[column].count)
                return isNumeric(column) ? gap + line[column] : line[column] + gap
            }.joined(separator: "  ").trimmingTrailingSpaces
        }
        return lines.joined(separator: "\n")
    }

    private func isNumeric(_ column: Int) -> Bool {
        rows.contains { $0[column].isNumber } && rows.allSatisfy { $0[column].isNumber || $0[column] == .absent }
    }
}

extension Table.Cell {
    /// The value for a terminal.
    ///
    /// Names and references come from outside; what could steer a terminal is shown instead of sent.
    var shown: String {
        switch self {
        case .text(let text): text.harmless
        case .integer(let value): String(value)
        case .amount(let value, let currency): Self.decimal(value, currency)
        case .absent: "-"
        }
    }

    /// An amount in the major unit, with a minus sign if it is below zero; the least there is stays in minor units.
    private static func decimal(_ value: Int64, _ currency: Currency) -> String {
        guard let size = Int64(exactly: value.magnitude),
            let money = try? Money(minorUnits: size, currency: currency)
        else { return String(value) }
        return (value < 0 ? "-" : "") + money.decimal
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .amount: true
        case .text, .absent: false
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        guard let end = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...end])
    }
}
