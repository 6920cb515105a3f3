import ArgumentParser
import Domain
import SQL
import Storage

/// The order a command is about.
struct OrderArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The order's id, or the marketplace's reference for it.", valueName: "order"))
    var order: String

    /// Reads the order.
    ///
    /// A reference that was used again, which only a failed or canceled order allows, means the latest.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or `SQLError`.
    func load(in session: any Session) throws -> Order {
        let found: Order?
        if let id = OrderID(order) {
            found = try OrderReader.load(id, in: session)
        } else {
            var filter = OrderSearch.Filter(marketplace: nil)
            filter.reference = order
            found = try OrderSearch.list(filter, limit: 1, in: session).first
        }
        guard let found else { throw CommandFailure.finding("there is no order \(order.harmless)") }
        return found
    }

    /// Reads the order again.
    ///
    /// - Throws: ``CommandFailure`` if it is gone, or `SQLError`.
    func load(_ id: OrderID, in session: any Session) throws -> Order {
        guard let found = try OrderReader.load(id, in: session) else {
            throw CommandFailure.finding("there is no order \(order.harmless)")
        }
        return found
    }
}
