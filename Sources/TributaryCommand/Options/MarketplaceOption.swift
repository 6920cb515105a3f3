import ArgumentParser
import Domain
import Gateway
import SQL
import Storage

/// `--marketplace`, which may be left out while there is only one.
struct MarketplaceOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The marketplace; may be left out while there is only one.", valueName: "id")
    )
    var marketplace: String?

    /// The marketplace that was typed, or left out.
    var choice: MarketplaceChoice { MarketplaceChoice(marketplace) }

    /// The marketplace that is meant.
    ///
    /// - Throws: `DirectoryRefusal` if there is none, no such one, or several and none is named.
    func choose(in session: any Session) throws -> String { try choice.marketplace(in: session) }

    /// The marketplace to look at; nil for all of them.
    ///
    /// - Throws: `DirectoryRefusal` if there is no such one.
    func filter(in session: any Session) throws -> String? { try choice.filter(in: session) }

    /// The merchant of the marketplace that is meant, by its external identifier or its id.
    ///
    /// - Throws: `DirectoryRefusal` if there is none, or what ``choose(in:)`` throws.
    func merchant(_ name: String, in session: any Session) throws -> Merchant {
        let owner = try choose(in: session)
        do {
            return try Merchants.find(name, of: owner, in: session)
        } catch DirectoryRefusal.unknownMerchant(let name) {
            let known = try Merchants.all(of: owner, in: session).map(\.externalIdentifier)
            let question = EditDistance.question(name, in: known)
            guard !question.isEmpty else { throw DirectoryRefusal.unknownMerchant(name) }
            throw CommandFailure.finding("there is no merchant \(name.harmless).\(question)")
        }
    }
}

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
        guard let found else { throw missing }
        return found
    }

    /// That there is no such order.
    var missing: CommandFailure { .finding("there is no order \(order.harmless)") }
}
