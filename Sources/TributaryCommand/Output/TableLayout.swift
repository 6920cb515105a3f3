/// A table as lines of so many columns of a terminal, or of as many as it takes.
///
/// What does not fit is fitted in this order: columns in which nothing stands are left out, sentences are cut, columns are
/// left out from the right; where too few are left, rows stand below one another with a line for each of their values.
struct TableLayout {
    /// A cell as it is shown.
    struct Cell: Hashable {
        /// The text.
        let text: String
        /// Its colour, if it has one.
        var shade: Shade?
        /// Whether nothing stands in it.
        var isAbsent = false
    }

    /// A column.
    struct Column: Hashable {
        /// Its name, in snake case.
        let name: String
        /// Whether it holds numbers, which stand to the right.
        var isNumeric = false

        fileprivate var title: String { name.replacing("_", with: " ").uppercased() }
    }

    /// What is shown, and what is not.
    struct Page: Hashable {
        /// The lines, without a line break at the end.
        let text: String
        /// The names of the columns that found no room.
        let hidden: [String]
    }

    /// Sentences are cut to no less than so many letters.
    private static let shortestSentence = 24
    /// So many columns beside one another are a table; fewer are no use.
    private static let fewestColumns = 4
    private static let gap = 2

    /// The columns.
    let columns: [Column]
    /// The rows, each with one cell a column.
    let rows: [[Cell]]
    /// Whether the head and words that mean something are coloured.
    var isColored = false

    /// The table in full, or within a width.
    func page(width: Int?) -> Page {
        let all = Array(columns.indices)
        guard let width, total(naturalWidths(all)) > width else {
            return Page(text: table(all, naturalWidths(all)), hidden: [])
        }
        var shown = all.filter { column in rows.contains { !$0[column].isAbsent } }
        if shown.isEmpty { shown = all }
        while shown.count >= min(Self.fewestColumns, all.count) {
            if let widths = fitted(shown, width) {
                let hidden = all.filter { column in !shown.contains(column) && rows.contains { !$0[column].isAbsent } }
                return Page(text: table(shown, widths), hidden: hidden.map { columns[$0].name })
            }
            shown.removeLast()
        }
        return Page(text: records(width), hidden: [])
    }

    /// The widths in which columns fit, sentences cut where they must be; nil if they do not.
    private func fitted(_ shown: [Int], _ width: Int) -> [Int]? {
        var widths = naturalWidths(shown)
        while total(widths) > width {
            let sentences = widths.indices.filter { index in
                widths[index] > Self.shortestSentence && isSentence(shown[index])
            }
            guard let widest = sentences.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] = max(Self.shortestSentence, widths[widest] - (total(widths) - width))
        }
        return widths
    }

    private func naturalWidths(_ shown: [Int]) -> [Int] {
        shown.map { column in
            rows.reduce(columns[column].title.count) { max($0, $1[column].text.count) }
        }
    }

    private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }

    /// Whether a column holds words with spaces between them, of which the beginning says most; identifiers are never cut.
    private func isSentence(_ column: Int) -> Bool { rows.contains { $0[column].text.count(where: { $0 == " " }) > 2 } }

    private func table(_ shown: [Int], _ widths: [Int]) -> String {
        let head = shown.map { Cell(text: columns[$0].title, shade: .head) }
        return ([head] + rows.map { row in shown.map { row[$0] } }).map { cells in
            line(cells, widths, shown.map { columns[$0].isNumeric })
        }.joined(separator: "\n")
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ numeric: [Bool]) -> String {
        let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
        return cells.indices.prefix(last + 1).map { index in
            let text = Self.cut(cells[index].text, widths[index])
            let space = String(repeating: " ", count: widths[index] - text.count)
            let painted = isColored ? cells[index].shade?.paint(text) ?? text : text
            if numeric[index] { return space + painted }
            return index == last ? painted : painted + space
        }.joined(separator: String(repeating: " ", count: Self.gap)).trimmingTrailingSpaces
    }

    private static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }

    /// Rows below one another, a line for each value that there is, wrapped behind its name.
    private func records(_ width: Int) -> String {
        let names = columns.map { $0.name.replacing("_", with: " ") }
        let indent = (names.map(\.count).max() ?? 0) + Self.gap
        return rows.map { row in
            row.indices.filter { !row[$0].isAbsent }.map { column in
                let name = names[column] + String(repeating: " ", count: indent - names[column].count)
                let lines = TextWrap.lines(row[column].text, width: max(Self.shortestSentence, width - indent))
                let painted = lines.map { isColored ? row[column].shade?.paint($0) ?? $0 : $0 }
                return name + painted.joined(separator: "\n" + String(repeating: " ", count: indent))
            }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        guard let end = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...end])
    }
}
