import ArgumentParser
import SQL
import Storage

/// `tributary callbacks list`.
struct ListCallbacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what the marketplace and merchants are told, newest first.",
        discussion: """
            A callback is `waiting` until its endpoint takes it, `delivered`, or `dead` once it was refused ten times. \
            How many wait and how many are dead stands behind the list.

            Example:
              tributary callbacks list --state dead --endpoint hotel-7
            """
    )

    @OptionGroup var filter: CallbackFilter

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [filter, limit] database in
            try await database.read { session in
                (
                    callbacks: try CallbackTable.list(filter.filter(in: session), limit: limit.count, in: session),
                    census: try CallbackStatistics.read(in: session)
                )
            }
        }
        output.write(Table(callbacks: found.callbacks))
        Console.note("in all: \(found.census.words)")
    }
}

extension CallbackStatistics {
    /// How much waits and how much is dead, in words.
    fileprivate var words: String {
        func number(_ count: Int64) -> String { count < Self.countLimit ? "\(count)" : "\(count) or more" }
        return "\(number(waiting)) waiting, \(number(dead)) dead"
    }
}
