import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import SQL
import Storage
import StrictJSON

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
        output.write(
            Table(accounts: accounts.map { ListPresenter.json($0) }),
            orSaying: "There are no PSP accounts; `tributary apply` declares them."
        )
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
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    /// Sets the status of all of them, or of none if one is unknown.
    ///
    /// - Throws: ``CommandFailure`` if one is unknown, or `SQLError`.
    func set(_ status: Merchant.Status) async throws {
        let changed = try await acting.act(in: marketplace) { settings in
            try await DatabaseUse.looking.open(settings) { database in try await set(status, in: database) }
        } remotely: { server in
            let known = try await server.list("/v1/psp-accounts").map { $0.text("id") }
            if let unknown = accounts.first(where: { !known.contains($0) }) {
                throw Self.missing(unknown, among: known)
            }
            let named = known.filter(accounts.contains)
            return try await server.setStatus(status, of: named, below: "/v1/psp-accounts") {
                Self.missing($0, among: known)
            }
        }
        output.write(Table(accounts: changed))
    }

    private func set(_ status: Merchant.Status, in database: any Database) async throws -> [JSON] {
        let now = Timestamp(microseconds: try await database.now())
        do {
            let changed = try await PSPAccountDirectory(database, by: .commandLine)
                .setStatus(status, of: accounts, in: marketplace.choice, at: now)
            return changed.map { ListPresenter.json($0) }
        } catch DirectoryRefusal.unknownAccount(let name) {
            let known = try await database.read { [marketplace] session in
                try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.choose(in: session))))
            }
            throw Self.missing(name, among: known.map(\.id))
        }
    }

    private static func missing(_ name: String, among known: [String]) -> CommandFailure {
        let question = EditDistance.question(name, in: known)
        return .finding("there is no PSP account \(name.harmless)\(question.isEmpty ? "" : "." + question)")
    }
}

extension RemoteServer {
    /// Pauses or resumes merchants or PSP accounts that are there.
    ///
    /// - Parameters:
    ///   - status: paused or active.
    ///   - names: their names.
    ///   - path: what they are below.
    ///   - missing: says that one is not there.
    /// - Returns: each as it is now.
    /// - Throws: ``CommandFailure``.
    func setStatus(
        _ status: Merchant.Status,
        of names: [String],
        below path: String,
        orSaying missing: (String) -> CommandFailure
    ) async throws(CommandFailure) -> [JSON] {
        let word = status == .paused ? "pause" : "resume"
        var changed: [JSON] = []
        for name in names {
            let place = "\(path)/\(Self.segment(name))/\(word)"
            changed.append(try await post(place, orSaying: missing(name)).json)
        }
        return changed
    }
}

extension Table {
    /// A line for each account, as its document has it.
    fileprivate init(accounts: [JSON]) {
        self.init("id", "psp", "status", "base_url", "updated_at")
        for account in accounts {
            add(
                .text(of: account["id"]),
                .text(of: account["psp"]),
                .text(of: account["status"]),
                .text(of: account["base_url"]),
                .moment(of: account["updated_at"])
            )
        }
    }
}
