import ArgumentParser
import Domain
import Gateway
import SQL
import Storage
import StrictJSON

/// `tributary apple-pay hashes`.
struct HashCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hashes",
        abstract: "See and settle whose the hashes in multi-merchant tokens are.",
        discussion: """
            The responses in a multi-merchant token name their merchants by hashes whose formula Apple does not publish.
            Every hash seen is recorded with the merchant identifiers that its amount allowed. A row decides nothing
            until it is confirmed; where two merchants' amounts are equal, only confirmed rows tell them apart.
            """,
        subcommands: [ListHashes.self, ConfirmHash.self, RejectHash.self]
    )
}

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

/// `tributary apple-pay hashes confirm`.
struct ConfirmHash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Say that a hash is a merchant's; from now on it decides.",
        discussion: "A token whose amounts contradict it is refused, and counted in `hashes list`."
    )

    @OptionGroup var row: HashDecision

    func run() async throws { try await row.write(.confirmed) }
}

/// `tributary apple-pay hashes reject`.
struct RejectHash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Say that a hash is not a merchant's; the row decides nothing."
    )

    @OptionGroup var row: HashDecision

    func run() async throws { try await row.write(.rejected) }
}

/// The row that an operator decides on.
struct HashDecision: ParsableArguments {
    @Argument(help: "The hash, as `apple-pay hashes list` shows it.")
    var hash: String

    @Argument(help: "The merchant identifier.")
    var merchantIdentifier: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions

    /// Writes the decision down.
    ///
    /// - Throws: ``CommandFailure`` if there is no such row, or `SQLError`.
    func write(_ state: MerchantHashTable.State) async throws {
        let missing = CommandFailure.finding(
            "there is no row for \(hash.harmless) and \(merchantIdentifier.harmless); "
                + "`tributary apple-pay hashes list` shows those there are"
        )
        try await acting.act(in: marketplace) { settings in
            let isWritten = try await DatabaseUse.looking.open(settings) {
                [marketplace, hash, merchantIdentifier] database in
                let now = Timestamp(microseconds: try await database.now())
                return try await MerchantHashes(database, by: .commandLine)
                    .decide(hash, of: merchantIdentifier, in: marketplace.choice, state, at: now)
            }
            guard isWritten else { throw missing }
        } remotely: { server in
            let body: JSON = [
                "hash": .string(hash), "merchant_identifier": .string(merchantIdentifier),
                "state": .string(state.rawValue),
            ]
            try await server.post("/v1/apple-pay/hashes", body, orSaying: missing)
        }
        Console.note("\(state.rawValue) \(hash) as \(merchantIdentifier)")
    }
}
