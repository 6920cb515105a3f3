import ArgumentParser
import Domain
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

/// How a command writes its data.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people; amounts in the currency's major unit.
    case table
    /// JSON; amounts as integers in minor units.
    case json
    /// Comma-separated values (RFC 4180); amounts as integers in minor units.
    case csv
}

/// How many rows a list shows at most.
struct ListLimit: Hashable, ExpressibleByArgument {
    /// What a list shows unless it is told otherwise.
    static let usual = ListLimit(count: 100)
    /// The most that one list takes into memory.
    private static let greatest = 10_000

    /// The number, from 1 to 10,000.
    let count: Int

    private init(count: Int) { self.count = count }

    /// Reads a number from 1 to 10,000; nil for anything else.
    init?(argument: String) {
        guard let count = Int(argument), (1...Self.greatest).contains(count) else { return nil }
        self.count = count
    }

    var defaultValueDescription: String { String(count) }
}

/// `--currency`, for commands about one currency.
struct CurrencyOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The currency, as ISO 4217 names it.", valueName: "code"),
        transform: { text in
            guard let currency = Currency(code: text) else {
                throw ValidationError("\(text.harmless) is no currency of ISO 4217")
            }
            return currency
        }
    )
    var currency: Currency
}
