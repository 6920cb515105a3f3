import ArgumentParser
import Domain
import Foundation
import Gateway
import HTTPAPI
import SQL
import Settings
import StrictJSON
import Wiring

/// What commands that ask something of an order have in common: they write down what is asked, as the API would, and
/// watch serving instances do it.
struct OrderAction: ParsableArguments {
    @OptionGroup var order: OrderArgument

    @Option(
        name: .long,
        help: ArgumentHelp("How many seconds to watch a serving instance do it; 0 for none.", valueName: "seconds")
    )
    var wait = 15

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    private static let glance = Duration.milliseconds(200)

    func validate() throws {
        guard (0...3600).contains(wait) else { throw ValidationError("--wait is 0 to 3600") }
    }

    /// Asks, watches, and shows the order.
    ///
    /// - Parameter request: what to ask of the order as it stands.
    /// - Throws: ``CommandFailure`` with the order's refusal, or `SQLError`.
    func ask(_ request: @Sendable (Order) throws -> OrderRequest) async throws {
        let settings = try database.settings()
        let argument = order
        let shown = try await DatabaseUse.looking.open(settings) { database in
            let found = try await database.read { session in try argument.load(in: session) }
            let orders = Gateway.Orders.remote(
                database: database,
                clock: try await DatabaseClock(database),
                rules: settings.timings.orderTimings,
                capabilities: AdapterCatalog.psps.mapValues(\.capabilities),
                instance: "command-" + String(UInt64.random(in: .min ... .max), radix: 36),
                presentation: OrderPresenter.presentation
            )
            do {
                let person = Caller(operator: NSUserName())
                _ = try await orders.request(try request(found), of: .init(found.id, of: nil, by: person))
            } catch let refusal as RequestRefusal {
                throw CommandFailure.finding("\(refusal.code.rawValue): \(refusal.detail)")
            }
            return try await watch(found.id, in: database)
        }
        show(shown)
    }

    /// The order once something was heard of all that was asked, or when the patience is over.
    private func watch(_ id: OrderID, in database: any Database) async throws -> Order {
        let end = ContinuousClock.now + .seconds(wait)
        let argument = order
        while true {
            let order = try await database.read { session in try argument.load(id, in: session) }
            if order.hasFirstReplies { return order }
            guard ContinuousClock.now < end else {
                Console.note("It is written down; nothing was heard yet. Is an instance serving? `orders show` tells.")
                return order
            }
            try await Task.sleep(for: Self.glance)
        }
    }

    private func show(_ order: Order) {
        switch output.format {
        case .table: Console.out(OrderPage(order).text)
        case .json: Console.out(OrderPresenter.json(order).prettyText)
        case .csv: output.write(Table(operationsOf: order))
        }
    }
}
