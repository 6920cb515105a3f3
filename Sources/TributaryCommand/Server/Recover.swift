import ArgumentParser
import Domain
import Gateway
import SQL
import Settings
import Storage

/// `tributary recover`.
struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring books that were restored to an earlier point up to what PSPs did since.",
        discussion: """
            For a database that lost what it had committed: after a restore, or a failover that lost commits. Run it before
            `serve`, with no server on the database. It moves no money.

            What the books do not know to be over counts as sent until now, so that it is asked after before it is sent
            again. Then every PSP account that lists what happened is asked, and what its list says is told to the orders
            that the books know, each event once, as if it came by webhook. A payment under our name that the books do not
            know is kept as a problem: see `webhooks list --state problem` and `attention list`; `webhooks dismiss` takes
            it off. Run again it does nothing that was done.

            --since is the point that the books were restored to, or a moment before it. Exits 0 if nothing is unknown, 1
            if a person has to look at payments that the books do not know, 3 if an account could not be asked, or not
            that far back (compare with its settlement report), or events are not told yet (run it again).

            Example:
              tributary recover --since 2026-11-21T07:40:09Z --dry-run
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("The point restored to, as 2026-11-21T07:40:09Z.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var since: Timestamp

    @Option(name: .long, help: ArgumentHelp("Only this PSP account; all unless said.", valueName: "id"))
    var pspAccount: String?

    @Flag(name: .long, help: "Say what would be told and raised, and change nothing.")
    var dryRun = false

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let found = try await DatabaseUse.serving.open(settings) { database in
            let accounts = try await accounts(in: database)
            let stack = try await GatewayStack(settings, database: database, logger: .standardError(.warning))
            let result = await Result {
                try await recover(stack.recovery, accounts, in: database, now: stack.clock.now())
            }
            await stack.stop()
            return try result.get()
        }
        output.write(Table(recovered: found))
        guard !found.contains(where: { $0.obstacle != nil }) else { throw ExitCode(3) }
        guard found.allSatisfy({ $0.unknown.isEmpty && $0.raised == 0 }) else { throw ExitCode(1) }
    }

    /// Servers would carry on what the books do not know to be over before it is marked.
    private static func refusal(_ servers: [String]) -> CommandFailure {
        let names = servers.map(\.harmless).joined(separator: ", ")
        return .unusable(
            "\(names) served within the last 12 s: stop all servers first, or wait for 12 s if it was killed"
        )
    }

    /// The accounts to ask.
    private func accounts(in database: any Database) async throws -> [PSPAccount] {
        let found = try await database.read { [marketplace] session in
            let owner = try marketplace.filter(in: session)
            let marketplaces = try MarketplaceTable.all(in: session).map(\.id).filter { owner == nil || $0 == owner }
            return try marketplaces.flatMap { try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: $0))) }
        }
        guard let pspAccount else { return found }
        let meant = found.filter { $0.id == pspAccount }
        guard !meant.isEmpty else { throw CommandFailure.unusable("there is no PSP account \(pspAccount.harmless)") }
        return meant
    }

    private func recover(
        _ recovery: BooksRecovery,
        _ accounts: [PSPAccount],
        in database: any Database,
        now: Timestamp
    ) async throws -> [RecoveredActivity] {
        guard since <= now else { throw CommandFailure.unusable("--since is a time to come") }
        if !dryRun {
            let servers = try await recovery.serving()
            guard servers.isEmpty else { throw Self.refusal(servers) }
            try await BooksRecovery.record(since: since, asking: accounts, by: .commandLine, at: now, in: database)
            let (open, unreadable) = try await recovery.distrust()
            Console.note("orders that wait to be asked after: \(open)")
            if unreadable > 0 { Console.note("orders that cannot be carried on: \(unreadable); see attention list") }
        }
        var found: [RecoveredActivity] = []
        for account in accounts {
            let activity = try await recovery.ask(account, since: since, isDryRun: dryRun)
            for payment in activity.unknown { Console.note("\(account.id.harmless): \(payment.summary.harmless)") }
            found.append(activity)
        }
        return found
    }
}

extension Table {
    /// A row for each account that was asked.
    fileprivate init(recovered activities: [RecoveredActivity]) {
        self.init("marketplace", "psp_account", "psp", "listed", "told", "others", "unknown", "raised", "obstacle")
        for activity in activities {
            add(
                .text(activity.account.marketplace),
                .text(activity.account.id),
                .text(activity.account.psp),
                .integer(Int64(activity.listed)),
                .integer(Int64(activity.told)),
                .integer(Int64(activity.others)),
                .integer(Int64(activity.unknown.count)),
                .integer(Int64(activity.raised)),
                .optional(activity.obstacle)
            )
        }
    }
}
