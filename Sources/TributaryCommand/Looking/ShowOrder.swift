import ArgumentParser
import Domain
import HTTPAPI
import SQL
import StrictJSON

/// `tributary orders show`.
struct ShowOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an order, its payments, and everything asked of PSPs for them.",
        discussion: """
            JSON is the order as the API shows it, with `operations` behind it; CSV has a line for each operation.
            """
    )

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let order = try await DatabaseUse.looking.open(database.settings()) { [order] database in
            try await database.read { session in try order.load(in: session) }
        }
        let operations = Table(operationsOf: order)
        switch output.format {
        case .table: Console.out(OrderPage(order).text)
        case .json:
            let members = OrderPresenter.json(order).objectValue ?? []
            Console.out(JSON.object(members + [.init("operations", operations.json)]).prettyText)
        case .csv: output.write(operations)
        }
    }
}
