import ArgumentParser
import SQL
import Storage

/// `tributary apple-pay hashes list`.
struct ListHashes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the hashes seen, those that were contradicted first.",
        discussion: "Exits 1 if a confirmed row was contradicted: it is wrong, or Apple's hashes are not stable."
    )

    @Option(name: .long, help: "How many rows at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let rows = try await DatabaseUse.looking.open(database.settings()) { [marketplace, limit] database in
            try await database.read { session in
                try MerchantHashTable.list(of: marketplace.choose(in: session), limit: limit.count, in: session)
            }
        }
        output.write(Table(hashes: rows))
        guard rows.allSatisfy({ $0.contradicted == 0 }) else { throw ExitCode(1) }
    }
}

extension Table {
    /// A row for each hash and merchant identifier.
    fileprivate init(hashes: [MerchantHashTable.Entry]) {
        self.init("hash", "merchant_identifier", "state", "seen", "contradicted", "first_seen_at", "last_seen_at")
        for entry in hashes {
            add(
                .text(entry.hash),
                .text(entry.merchantIdentifier),
                .text(entry.state.rawValue),
                .integer(entry.seen),
                .integer(entry.contradicted),
                .moment(entry.firstSeenAt),
                .moment(entry.lastSeenAt)
            )
        }
    }
}
