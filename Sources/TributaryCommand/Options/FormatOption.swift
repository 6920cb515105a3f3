import ArgumentParser
import StrictJSON

/// `--format`, which every command that answers data understands.
struct FormatOption: ParsableArguments {
    @Option(name: .long, help: "How to write the data: table, json or csv.")
    var format: OutputFormat = .table

    /// Writes data: `json` if that was asked for, else the table.
    func write(_ table: Table, json: @autoclosure () -> JSON) {
        switch format {
        case .table: if !table.rows.isEmpty { Console.out(table.text) }
        case .json: Console.out(json().prettyText)
        case .csv: Console.out(table.csv)
        }
    }

    /// Writes a table, as JSON an object for each row.
    func write(_ table: Table) { write(table, json: table.json) }
}
