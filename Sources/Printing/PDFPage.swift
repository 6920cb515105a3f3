/// Writes documents as PDF, by cairo and Pango: every script that the machine has a font for, shaped and in order.
package enum PDFPage {
    /// A PDF that could not be made.
    package struct Failure: Error, Hashable, Sendable {}

    /// The file: A4, with numbered pages.
    ///
    /// - Throws: ``Failure`` if the library could not make it.
    package static func bytes(_ document: PrintedDocument) throws(Failure) -> [UInt8] {
        let output = PDFOutput()
        guard let canvas = PDFCanvas(document, into: output) else { throw Failure() }
        var layout = PDFLayout(canvas)
        layout.add(document)
        guard canvas.finish() else { throw Failure() }
        return output.bytes
    }
}

/// Puts the parts of a document under one another, and on the next page what does not fit any more.
private struct PDFLayout {
    private static let margin = 48.0
    private static let width = PDFCanvas.width - 2 * margin
    private static let bottom = PDFCanvas.height - margin - 16
    private static let gap = 6.0

    private let canvas: PDFCanvas
    private var y = Self.margin
    private var page = 1

    init(_ canvas: PDFCanvas) { self.canvas = canvas }

    mutating func add(_ document: PrintedDocument) {
        y += canvas.text(document.title, .title, x: Self.margin, y: y, width: Self.width) + Self.gap
        for block in document.blocks {
            switch block {
            case .heading(let text):
                breakPage(before: 60)
                y += Self.gap
                y += canvas.text(text, .heading, x: Self.margin, y: y, width: Self.width) + Self.gap / 2
            case .note(let text):
                breakPage(before: canvas.height(text, .body, width: Self.width))
                y += canvas.text(text, .body, x: Self.margin, y: y, width: Self.width) + Self.gap
            case .parties(let parties): add(parties)
            case .facts(let facts): add(facts)
            case .table(let table): add(table)
            }
        }
        endPage()
    }

    private mutating func add(_ parties: [PrintedDocument.Party]) {
        let width = Self.width / Double(max(parties.count, 1))
        var height = 0.0
        for (number, party) in parties.enumerated() {
            let x = Self.margin + Double(number) * width
            var below = canvas.text(party.role, .label, x: x, y: y, width: width - 12)
            for line in party.lines { below += canvas.text(line, .body, x: x, y: y + below, width: width - 12) }
            height = max(height, below)
        }
        y += height + 2 * Self.gap
    }

    private mutating func add(_ facts: [PrintedDocument.Fact]) {
        let names = 130.0
        for fact in facts {
            let height = max(
                canvas.height(fact.name, .label, width: names - 8),
                canvas.height(fact.value, .body, width: Self.width - names)
            )
            breakPage(before: height)
            _ = canvas.text(fact.name, .label, x: Self.margin, y: y, width: names - 8)
            _ = canvas.text(fact.value, .body, x: Self.margin + names, y: y, width: Self.width - names)
            y += height + 1
        }
        y += Self.gap
    }

    private mutating func add(_ table: PrintedDocument.Table) {
        let weights = table.columns.reduce(0) { $0 + $1.weight }
        let widths = table.columns.map { Self.width * $0.weight / max(weights, 1) }
        let titles = PrintedDocument.Table.Row(table.columns.map(\.title), isSum: true)
        let head = height(of: titles, widths)
        breakPage(before: head + 40)
        add(titles, table.columns, widths, line: 0.8)
        for row in table.rows {
            if y + height(of: row, widths) > Self.bottom {
                endPage()
                add(titles, table.columns, widths, line: 0.8)
            }
            add(row, table.columns, widths, line: row.isSum ? 0.8 : 0.25)
        }
        y += Self.gap
    }

    private mutating func add(
        _ row: PrintedDocument.Table.Row,
        _ columns: [PrintedDocument.Table.Column],
        _ widths: [Double],
        line: Double
    ) {
        let height = height(of: row, widths)
        var x = Self.margin
        for (index, cell) in row.cells.enumerated() {
            _ = canvas.text(
                cell,
                row.isSum ? .sum : .cell,
                x: x,
                y: y + 2,
                width: widths[index] - 5,
                isRight: columns[index].isNumeric
            )
            x += widths[index]
        }
        y += height
        canvas.line(x: Self.margin, y: y, width: Self.width, thickness: line)
    }

    private func height(of row: PrintedDocument.Table.Row, _ widths: [Double]) -> Double {
        let heights = zip(row.cells, widths).map { cell, width in
            canvas.height(cell, row.isSum ? .sum : .cell, width: width - 5)
        }
        return (heights.max() ?? 0) + 4
    }

    private mutating func breakPage(before height: Double) {
        if y + height > Self.bottom { endPage() }
    }

    private mutating func endPage() {
        _ = canvas.text(
            "\(page)",
            .label,
            x: Self.margin,
            y: PDFCanvas.height - Self.margin,
            width: Self.width,
            isRight: true
        )
        canvas.endPage()
        page += 1
        y = Self.margin
    }
}
