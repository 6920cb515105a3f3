import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary agreements`.
struct AgreementCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agreements",
        abstract: "See what buyers let merchants charge while they are away, and end it.",
        subcommands: [ListAgreements.self, ShowAgreement.self, EndAgreement.self, ListMerchantTokenNotices.self]
    )

    fileprivate static func identifier(_ text: String) throws -> AgreementID {
        guard let id = AgreementID(text) else {
            throw ValidationError("\(text.harmless) is no agreement's id; see list")
        }
        return id
    }

    fileprivate static func agreements(in database: any Database) async throws -> Agreements {
        Agreements(
            database: database,
            clock: try await DatabaseClock(database),
            presentation: OrderPresenter.presentation
        )
    }
}

/// `tributary agreements list`.
struct ListAgreements: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List agreements, newest first.",
        discussion: """
            Those in the state ending are over, and a PSP has not forgotten the method yet, or Apple not unlinked the merchant
            token; show says why.

            Example:
              tributary agreements list --state ending
            """
    )

    @Option(name: .long, help: "Only agreements in this state: pending, active, suspended, ending or ended.")
    var state: String?

    @Option(name: .long, help: ArgumentHelp("Only agreements with this merchant.", valueName: "merchant"))
    var merchant: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws { _ = try wantedState() }

    func run() async throws {
        let wanted = try wantedState()
        let found = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, merchant, limit] database in
            try await database.read { session in
                var filter = AgreementTable.Filter(marketplace: try marketplace.filter(in: session))
                filter.state = wanted
                if let merchant {
                    let owner = try marketplace.merchant(merchant, in: session)
                    filter.marketplace = owner.marketplace
                    filter.merchant = owner.id
                }
                return try AgreementTable.list(filter, limit: limit.count, in: session)
            }
        }
        output.write(Table(agreements: found.map { AgreementPresenter.json($0) }), orSaying: "There are no agreements.")
    }

    private func wantedState() throws -> Agreement.State? {
        guard let state else { return nil }
        guard let known = Agreement.State(rawValue: state) else {
            let words = Agreement.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--state is one of \(words)")
        }
        return known
    }
}

/// `tributary agreements show`.
struct ShowAgreement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an agreement: its terms, what is charged, what was declined."
    )

    @Argument(
        help: ArgumentHelp("The agreement's id (agr_…).", valueName: "agreement"),
        transform: AgreementCommands.identifier
    )
    var agreement: AgreementID

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [agreement] database in
            try await AgreementCommands.agreements(in: database).find(agreement, of: nil)
        }
        guard let found else { throw CommandFailure.finding("there is no agreement \(agreement)") }
        let document = AgreementPresenter.json(found)
        output.write(Table(agreements: [document]), json: document)
        for failure in found.failures { Console.note("Not everything is forgotten yet: \(failure.harmless)") }
    }
}

/// `tributary agreements end`.
struct EndAgreement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End an agreement: nothing more is charged, and the PSP is to forget what is charged.",
        discussion: """
            What was charged goes on. The PSP is asked by serving instances until it has forgotten the method; only then is it
            erased here, and the state ended. Ended again, nothing changes.

            Example:
              tributary agreements end agr_01…
            """
    )

    @Argument(
        help: ArgumentHelp("The agreement's id (agr_…).", valueName: "agreement"),
        transform: AgreementCommands.identifier
    )
    var agreement: AgreementID

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let missing = CommandFailure.finding("there is no agreement \(agreement)")
        let ended = try await acting.act(in: marketplace) { settings in
            try await DatabaseUse.looking.open(settings) { [marketplace, agreement] database -> JSON in
                let owner = try await database.read { session in try marketplace.choose(in: session) }
                let agreements = try await AgreementCommands.agreements(in: database)
                guard let found = try await agreements.end(agreement, of: owner, by: .commandLine) else {
                    throw missing
                }
                return AgreementPresenter.json(found)
            }
        } remotely: { server in
            try await server.post("/v1/agreements/\(agreement)/end", .object([]), orSaying: missing).json
        }
        output.write(Table(agreements: [ended]), json: ended)
    }
}

extension Table {
    /// A row for each agreement, as its document has it.
    fileprivate init(agreements: [JSON]) {
        self.init(
            "id",
            "merchant",
            "type",
            "state",
            "currency",
            "amount",
            "maximum_amount",
            "method",
            "last4",
            "expires",
            "psp_account",
            "created_at"
        )
        for agreement in agreements {
            let method = agreement["method"]
            add(
                .text(of: agreement["id"]),
                .text(of: agreement["external_identifier"]),
                .text(of: agreement["type"]),
                .text(of: agreement["state"]),
                .text(of: agreement["currency"]),
                .amount(of: agreement["amount"], in: agreement["currency"]),
                .amount(of: agreement["maximum_amount"], in: agreement["currency"]),
                .text(of: method?["kind"]),
                .text(of: method?["last4"]),
                .text(of: method?["expires"]),
                .text(of: method?["psp_account"]),
                .moment(of: agreement["created_at"])
            )
        }
    }
}
