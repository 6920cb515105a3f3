import ArgumentParser
import Domain
import SQL
import Storage

/// Which callbacks a command is about.
struct CallbackFilter: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Only callbacks in this state.", valueName: "state"))
    var state: StoredCallback.State?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only those for this endpoint: its id, the marketplace's id, or a merchant's external identifier.",
            valueName: "endpoint"
        )
    )
    var endpoint: String?

    @Option(name: .long, help: ArgumentHelp("Only those about this order.", valueName: "ord_…"))
    var order: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those of this type, for example payment.captured.", valueName: "type")
    )
    var type: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those written down since, as 2026-11-21T07:40:09Z.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var from: Timestamp?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those written down before.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var to: Timestamp?

    @OptionGroup var marketplace: MarketplaceOption

    /// Whether anything was said but the marketplace.
    var isNarrow: Bool {
        state != nil || endpoint != nil || order != nil || type != nil || from != nil || to != nil
    }

    /// The filter as it was typed.
    ///
    /// - Throws: ``CommandFailure`` for an order or an endpoint that there cannot be or is not, or `SQLError`.
    func filter(in session: any Session) throws -> CallbackTable.Filter {
        var filter = CallbackTable.Filter(marketplace: try marketplace.filter(in: session))
        filter.state = state
        filter.type = type
        filter.from = from
        filter.until = to
        if let order {
            guard let id = OrderID(order) else {
                throw CommandFailure.unusable("\(order.harmless) is no order's id; `tributary orders list` shows them")
            }
            filter.order = id
        }
        if let endpoint {
            filter.endpoint = try EndpointName(endpoint).find(of: filter.marketplace, in: session).id
        }
        return filter
    }
}

extension StoredCallback.State: ExpressibleByArgument {}
