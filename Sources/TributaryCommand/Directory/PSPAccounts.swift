import ArgumentParser
import Domain
import Gateway
import SQL
import Storage

/// `tributary psp-accounts`.
struct PSPAccountCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "psp-accounts",
        abstract: "List, pause and resume PSP accounts.",
        subcommands: [ListPSPAccounts.self, PausePSPAccount.self, ResumePSPAccount.self]
    )
}

/// `tributary psp-accounts list`.
struct ListPSPAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a marketplace's PSP accounts, without their secrets."
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let accounts = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.choose(in: session))))
            }
        }
        output.write(Table(accounts: accounts), orSaying: "There are no PSP accounts; `tributary apply` declares them.")
    }
}

/// `tributary psp-accounts pause`.
struct PausePSPAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Send no new authorizations to PSP accounts; captures, voids and refunds go on."
    )

    @OptionGroup var change: PSPAccountStatusChange

    func run() async throws { try await change.set(.paused) }
}

/// `tributary psp-accounts resume`.
struct ResumePSPAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Send authorizations again to PSP accounts that were paused."
    )

    @OptionGroup var change: PSPAccountStatusChange

    func run() async throws { try await change.set(.active) }
}

/// The PSP accounts that are paused or resumed.
struct PSPAccountStatusChange: ParsableArguments {
    @Argument(help: ArgumentHelp("The accounts' ids.", valueName: "account"))
    var accounts: [String]

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    /// Sets the status of all of them, or of none if one is unknown.
    ///
    /// - Throws: ``CommandFailure`` if one is unknown, or `SQLError`.
    func set(_ status: Merchant.Status) async throws {
        let changed = try await DatabaseUse.looking.open(database.settings()) { [marketplace, accounts] database in
            let now = Timestamp(microseconds: try await database.now())
            do {
                return try await PSPAccountDirectory(database, by: .commandLine).setStatus(
                    status,
                    of: accounts,
                    in: marketplace.choice,
                    at: now
                )
            } catch DirectoryRefusal.unknownAccount(let name) {
                let known = try await database.read { session in
                    try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.choose(in: session))))
                }
                let question = EditDistance.question(name, in: known.map(\.id))
                throw CommandFailure.finding(
                    "there is no PSP account \(name.harmless)\(question.isEmpty ? "" : "." + question)"
                )
            }
        }
        output.write(Table(accounts: changed))
    }
}

extension Table {
    /// A line for each account.
    fileprivate init(accounts: [PSPAccount]) {
        self.init("id", "psp", "status", "base_url", "updated_at")
        for account in accounts {
            add(
                .text(account.id),
                .text(account.psp),
                .text(account.status.rawValue),
                .text(account.baseURL),
                .moment(account.updatedAt)
            )
        }
    }
}
