import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import SQL
import Storage

/// `tributary payouts fail`.
struct FailPayout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fail",
        abstract: "Record that a payout came back or never left; the merchant is owed it again.",
        discussion: """
            The journal keeps the payout and gets an entry that reverses it. Paying again is another payout, with a
            reference of its own. Recorded again for the same reason, nothing changes; for another, it is refused.

            Example:
              tributary payouts fail po_01… --reason "account closed"
            """
    )

    @Argument(help: ArgumentHelp("The payout's id (po_…).", valueName: "payout"), transform: Self.identifier)
    var payout: PayoutID

    @Option(name: .long, help: "Why, in a sentence.")
    var reason: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws { reason = try TextRule.freeText.checked(reason, "--reason") }

    func run() async throws {
        let (told, names) = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, payout, reason] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            let desk = PayoutDesk(
                database: database,
                clock: try await DatabaseClock(database),
                presentation: OrderPresenter.presentation
            )
            let told = try await desk.fail(payout, of: owner, because: reason)
            return (
                told,
                try await database.read { session in
                    try MerchantTable.names(of: [told.payout.merchant], in: session)
                }
            )
        }
        output.write(Table(payouts: [told.payout], names: names))
        if !told.isNews { Console.note("\(told.payout.id) is recorded as failed already; nothing was changed.") }
    }

    private static func identifier(_ text: String) throws -> PayoutID {
        guard let id = PayoutID(text) else { throw ValidationError("\(text.harmless) is no payout's id; see list") }
        return id
    }
}
