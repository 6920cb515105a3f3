import ArgumentParser
import Domain
import SQL
import Storage

/// The endpoint a command is about.
struct EndpointArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The endpoint's id (cbe_…), the marketplace's id for its own, or a merchant's external identifier.",
            valueName: "endpoint"
        )
    )
    var endpoint: String

    @OptionGroup var marketplace: MarketplaceOption

    /// Reads the endpoint.
    ///
    /// - Throws: ``CommandFailure`` if there is none or more than one of that name, or `SQLError`.
    func load(in session: any Session) throws -> CallbackEndpoint {
        try EndpointName(endpoint).find(of: marketplace.filter(in: session), in: session)
    }
}
