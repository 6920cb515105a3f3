import ArgumentParser
import Domain
import SQL
import Storage

/// The row that an operator decides on.
struct HashDecision: ParsableArguments {
    @Argument(help: "The hash, as `apple-pay hashes list` shows it.")
    var hash: String

    @Argument(help: "The merchant identifier.")
    var merchantIdentifier: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions

    /// Writes the decision down.
    ///
    /// - Throws: ``CommandFailure`` if there is no such row, or `SQLError`.
    func write(_ state: MerchantHashTable.State) async throws {
        let isWritten = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, hash, merchantIdentifier] database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.write { session in
                try MerchantHashTable.decide(
                    hash,
                    of: merchantIdentifier,
                    marketplace: marketplace.choose(in: session),
                    state: state,
                    at: now,
                    in: session
                )
            }
        }
        guard isWritten else {
            throw CommandFailure.finding(
                "there is no row for \(hash.harmless) and \(merchantIdentifier.harmless); "
                    + "`tributary apple-pay hashes list` shows those there are"
            )
        }
        Console.note("\(state.rawValue) \(hash) as \(merchantIdentifier)")
    }
}
