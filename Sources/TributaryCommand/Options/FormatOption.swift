import ArgumentParser
import Domain
import StrictJSON

/// `--format`, which every command that answers data understands.
struct FormatOption: ParsableArguments {
    /// What is said in place of an empty list that has no sentence of its own.
    static let nothing = "There is nothing to show."

    @Option(name: .long, help: "How to write the data: table, json or csv.")
    var format: OutputFormat = .table

    @Flag(name: .long, help: "Every column in full, and times in full, however narrow the terminal is.")
    var wide = false

    @Option(
        name: .long,
        help: ArgumentHelp("The columns of a list, as a table or csv, by their names in csv.", valueName: "name,name")
    )
    var columns: String?

    func validate() throws {
        Terminal.choice = Terminal.Choice(
            isWide: wide,
            columns: columns.map { $0.split(separator: ",").map(String.init) } ?? []
        )
    }

    /// Writes data: `json` if that was asked for, else the table; on a terminal a sentence in place of an empty list.
    func write(_ table: Table, json: @autoclosure () -> JSON, orSaying sentence: String = Self.nothing) {
        if case .json = format { return Console.out(json().prettyText) }
        guard let table = chosen(of: table) else { return }
        if case .csv = format { return Console.out(table.csv) }
        guard !table.rows.isEmpty else {
            if Terminal.isThere { Console.note(sentence) }
            return
        }
        let page = table.page(width: Terminal.width)
        Console.out(page.text)
        if !page.hidden.isEmpty {
            let names = page.hidden.joined(separator: ", ")
            Console.note("No room for \(names): --wide shows every column, --columns those that you name.")
        }
    }

    /// The columns that were asked for; nil, and no result, if there is one that the table has not.
    private func chosen(of table: Table) -> Table? {
        let names = Terminal.choice.columns
        guard !names.isEmpty else { return table }
        if let unknown = names.first(where: { !table.columns.contains($0) }) {
            let known = table.columns.joined(separator: ", ")
            let question = EditDistance.question(unknown, in: table.columns)
            Console.lose("there is no column \(unknown.harmless); there are \(known).\(question)")
            return nil
        }
        return table.choosing(names)
    }

    /// Writes a table, as JSON an object for each row.
    func write(_ table: Table, orSaying sentence: String = Self.nothing) {
        write(table, json: table.json, orSaying: sentence)
    }
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
