import ArgumentParser
import Domain
import Gateway
import SQL
import Storage

/// `tributary ledger roll-up`.
struct RollUpLedger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roll-up",
        abstract: "Add up the hours that are over, so that balances need not be read out of the whole journal.",
        discussion: """
            `serve` does so by itself. An hour is closed 15 minutes after its end; what is posted later is posted behind
            it. Exits 1 if a transaction that began before still runs; then the rest is rolled up another time.
            """
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (owner, progress) = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            let now = Timestamp(microseconds: try await database.now())
            return (owner, try await BookCloser(database: database).close(owner, at: now))
        }
        var table = Table("marketplace", "rolled_until", "hours")
        table.add(.text(owner), .moment(progress.rolledUntil), .integer(Int64(progress.periods)))
        output.write(table)
        if progress.isHeldUp {
            throw CommandFailure.finding("a transaction that began before still runs; try again later")
        }
    }
}
