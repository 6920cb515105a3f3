import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary merchants pause`.
struct PauseMerchant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Take no new orders for merchants; what is placed goes on."
    )

    @OptionGroup var change: MerchantStatusChange

    func run() async throws { try await change.set(.paused) }
}

/// `tributary merchants resume`.
struct ResumeMerchant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Take orders again for merchants that were paused."
    )

    @OptionGroup var change: MerchantStatusChange

    func run() async throws { try await change.set(.active) }
}

/// The merchants that are paused or resumed.
struct MerchantStatusChange: ParsableArguments {
    @Argument(help: ArgumentHelp("The merchants' external identifiers.", valueName: "merchant"))
    var merchants: [String]

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    /// Sets the status of all of them, or of none if one is unknown.
    ///
    /// - Throws: ``CommandFailure`` if one is unknown, or `SQLError`.
    func set(_ status: Merchant.Status) async throws {
        let changed = try await DatabaseUse.looking.open(database.settings()) { [marketplace, merchants] database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.write { session in
                let owner = try marketplace.choose(in: session)
                var found = try MerchantTable.find(merchants, of: owner, in: session)
                if let unknown = merchants.first(where: { name in !found.contains { $0.externalIdentifier == name } }) {
                    throw CommandFailure.finding("there is no merchant \(unknown.harmless)")
                }
                for index in found.indices {
                    found[index].status = status
                    try MerchantTable.save(found[index], at: now, in: session)
                }
                return found
            }
        }
        output.write(Table(merchants: changed))
    }
}
