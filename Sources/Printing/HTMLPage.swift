/// Writes documents as HTML made for print: one page of its own, without a script and without anything from elsewhere.
package enum HTMLPage {
    /// The content security policy under which such a page shows as it should: styles of its own, and nothing else.
    package static let contentSecurityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'"

    /// The page.
    package static func text(_ document: PrintedDocument) -> String {
        let title = escaped(document.title)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(styles)</style>
            </head>
            <body>
            <h1>\(title)</h1>
            \(document.blocks.map(text).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func text(_ block: PrintedDocument.Block) -> String {
        switch block {
        case .heading(let heading): "<h2>\(escaped(heading))</h2>"
        case .note(let note): "<p>\(escaped(note))</p>"
        case .parties(let parties):
            "<div class=\"parties\">" + parties.map(text).joined() + "</div>"
        case .facts(let facts):
            "<dl>" + facts.map { "<dt>\(escaped($0.name))</dt><dd>\(escaped($0.value))</dd>" }.joined() + "</dl>"
        case .table(let table): text(table)
        }
    }

    private static func text(_ party: PrintedDocument.Party) -> String {
        "<address><b>\(escaped(party.role))</b>" + party.lines.map { "<br>\(escaped($0))" }.joined() + "</address>"
    }

    private static func text(_ table: PrintedDocument.Table) -> String {
        func cells(_ texts: [String], _ tag: String) -> String {
            zip(table.columns, texts).map { column, text in
                "<\(tag)\(column.isNumeric ? " class=\"n\"" : "")>\(escaped(text))</\(tag)>"
            }.joined()
        }
        let rows = table.rows.map { row in
            "<tr\(row.isSum ? " class=\"s\"" : "")>\(cells(row.cells, "td"))</tr>"
        }
        return "<table><thead><tr>\(cells(table.columns.map(\.title), "th"))</tr></thead>\n<tbody>"
            + rows.joined(separator: "\n") + "</tbody></table>"
    }

    /// Text as an element or an attribute takes it; what no document may hold is left out.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
            case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
            case UInt8(ascii: "'"): bytes += Array("&#39;".utf8)
            case 0..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let styles = """
        @page { size: A4; margin: 18mm 16mm; }
        body { font: 10pt/1.4 "DejaVu Sans", "Noto Sans", Arial, sans-serif; color: #000; max-width: 190mm; margin: 8mm auto;
          padding: 0 4mm; }
        h1 { font-size: 16pt; margin: 0 0 4mm; } h2 { font-size: 11pt; margin: 6mm 0 2mm; }
        .parties { display: flex; gap: 12mm; } address { font-style: normal; flex: 1; }
        dl { display: grid; grid-template-columns: max-content auto; gap: 0 6mm; } dt { color: #555; } dd { margin: 0; }
        table { border-collapse: collapse; width: 100%; font-size: 8.5pt; } thead { display: table-header-group; }
        th { text-align: left; border-bottom: 1pt solid #000; } td { border-bottom: .25pt solid #bbb; }
        th, td { padding: 1mm 1.5mm; vertical-align: top; overflow-wrap: anywhere; } tr { break-inside: avoid; }
        .n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
        .s td { font-weight: bold; border-bottom: 1pt solid #000; }
        @media print { body { margin: 0; padding: 0; max-width: none; } }
        """
}
