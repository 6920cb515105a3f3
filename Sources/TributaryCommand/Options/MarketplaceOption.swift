import ArgumentParser
import Domain
import SQL
import Storage

/// `--marketplace`, which may be left out while there is only one.
struct MarketplaceOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The marketplace; may be left out while there is only one.", valueName: "id")
    )
    var marketplace: String?

    /// The marketplace that is meant.
    ///
    /// - Throws: ``CommandFailure`` if there is none, no such one, or several and none is named.
    func choose(in session: any Session) throws -> String {
        let known = try MarketplaceTable.all(in: session).map(\.id)
        if let marketplace {
            guard known.contains(marketplace) else {
                throw CommandFailure.unusable("there is no marketplace \(marketplace.harmless)")
            }
            return marketplace
        }
        guard let first = known.first else {
            throw CommandFailure.unusable("there is no marketplace yet; declare one and run `tributary apply FILE`")
        }
        guard known.count == 1 else {
            throw CommandFailure.unusable("say --marketplace: there are \(known.joined(separator: ", "))")
        }
        return first
    }

    /// The marketplace to look at; nil for all of them.
    ///
    /// - Throws: ``CommandFailure`` if there is no such one.
    func filter(in session: any Session) throws -> String? {
        marketplace == nil ? nil : try choose(in: session)
    }
}
