import ArgumentParser
import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary orders list`.
struct ListOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List orders, newest first.",
        discussion: """
            JSON shows each order as the API does.

            Example:
              tributary orders list --status compensating --format csv
            """
    )

    @Option(name: .long, help: ArgumentHelp("Only orders with this status.", valueName: "status"))
    var status: OrderStatus?

    @Option(name: .long, help: ArgumentHelp("Only orders with this reference.", valueName: "reference"))
    var reference: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let orders = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, status, reference, limit] database in
            try await database.read { session in
                var filter = OrderSearch.Filter(marketplace: try marketplace.filter(in: session))
                filter.status = status
                filter.reference = reference
                return try OrderSearch.list(filter, limit: limit.count, in: session)
            }
        }
        output.write(Table(orders: orders), json: .array(orders.map(OrderPresenter.json)))
    }
}

extension OrderStatus: ExpressibleByArgument {}
