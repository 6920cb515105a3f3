import Storage
import StrictJSON

/// Writes findings as they come, so that any number of them takes the memory of a page.
struct FindingWriter {
    /// How many rows of a table are aligned with each other.
    private static let tableLimit = 500

    /// How many were written.
    private(set) var count = 0
    private let format: OutputFormat
    private var table = Self.emptyTable
    private var hasHead = false

    private static var emptyTable: Table { Table("rule", "subject", "expected", "found") }

    init(_ format: OutputFormat) { self.format = format }

    /// Writes findings.
    mutating func write(_ findings: [LedgerFinding]) {
        for finding in findings {
            count += 1
            table.add(
                .text(finding.rule.rawValue),
                .text(finding.subject),
                .text(finding.expected),
                .text(finding.found)
            )
            if table.rows.count == Self.tableLimit { flush() }
        }
    }

    /// Writes what is left, and what ends the data.
    mutating func end() {
        flush()
        switch format {
        case .table: break
        case .json: Console.out(hasHead ? "]" : "[]")
        case .csv: if !hasHead { Console.out(table.csv) }
        }
    }

    private mutating func flush() {
        guard !table.rows.isEmpty else { return }
        switch format {
        case .table: Console.out(hasHead ? Self.withoutHead(table.text) : table.text)
        case .json:
            let objects = table.json.arrayValue?.map(\.text) ?? []
            Console.out((hasHead ? "," : "[") + objects.joined(separator: ",\n"))
        case .csv: Console.out(hasHead ? Self.withoutHead(table.csv) : table.csv)
        }
        hasHead = true
        table = Self.emptyTable
    }

    private static func withoutHead(_ text: String) -> String {
        text.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? ""
    }
}
