import ArgumentParser
import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary orders find`.
struct FindOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the order behind a PSP's reference.",
        discussion: """
            Exits 1 if there is none.

            Example:
              tributary orders find --psp-reference pi_3NqExample
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("What the PSP calls the payment, as its dashboard shows it.", valueName: "reference")
    )
    var pspReference: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let orders = try await DatabaseUse.looking.open(database.settings()) { [marketplace, pspReference] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return try OrderSearch.find(pspReference: pspReference, marketplace: owner, in: session)
            }
        }
        output.write(Table(orders: orders), json: .array(orders.map(OrderPresenter.json)))
        guard !orders.isEmpty else { throw CommandFailure.finding("no order has a payment with that PSP reference") }
    }
}
