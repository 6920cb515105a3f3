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
        /// A moment.
        case time(Timestamp)
        /// Nothing.
        case absent

        /// Words, or nothing.
        static func optional(_ text: String?) -> Cell { text.map(Cell.text) ?? .absent }
        /// A moment, or nothing.
        static func moment(_ time: Timestamp?) -> Cell { time.map(Cell.time) ?? .absent }
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
        case .time(let moment): .string(moment.description)
        case .absent: .null
        }
    }

    fileprivate var csv: CSVCell {
        switch self {
        case .text(let text): .text(text)
        case .integer(let value), .amount(let value, _): .number(value)
        case .time(let moment): .text(moment.description)
        case .absent: .text("")
        }
    }
}

/// Writing a table for people.
extension Table {
    /// Aligned columns under their names, numbers to the right; on a terminal as it has room for them.
    var text: String { page(width: Terminal.width).text }

    /// The table as lines of a terminal of so many columns, or of as many as it takes; what has no room is named.
    func page(width: Int?) -> TableLayout.Page {
        let now: Timestamp? = Terminal.isThere && !Terminal.choice.isWide ? .processNow : nil
        var layout = TableLayout(
            columns: columns.indices.map { TableLayout.Column(name: columns[$0], isNumeric: isNumeric($0)) },
            rows: rows.map { row in zip(columns, row).map { $1.laidOut(in: $0, at: now) } }
        )
        layout.isColored = Terminal.hasColors
        return layout.page(width: width)
    }

    /// The columns of these names alone, in this order; those that there are not are left out.
    func choosing(_ names: [String]) -> Table {
        let places = names.compactMap { columns.firstIndex(of: $0) }
        var chosen = Table(columns: places.map { columns[$0] })
        for row in rows { chosen.add(places.map { row[$0] }) }
        return chosen
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
        case .time(let moment): moment.description
        case .absent: "-"
        }
    }

    /// The value in a column, times as they are said at a moment, or in full.
    fileprivate func laidOut(in column: String, at now: Timestamp?) -> TableLayout.Cell {
        switch self {
        case .absent: return TableLayout.Cell(text: shown, isAbsent: true)
        case .time(let moment):
            return TableLayout.Cell(text: now.map { RelativeTime.text(of: moment, at: $0) } ?? shown)
        case .text(let word) where Shade.columns.contains(column):
            return TableLayout.Cell(text: shown, shade: Shade.of(word))
        case .text, .integer, .amount: return TableLayout.Cell(text: shown)
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
        case .text, .time, .absent: false
        }
    }
}
