import Domain

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
