import ArgumentParser
import Domain
import Gateway
import SQL
import Storage
import StrictJSON

/// `tributary callbacks`.
struct CallbackCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callbacks",
        abstract: "See what the marketplace and merchants are told, deliver it again, and look after their endpoints.",
        discussion: """
            A callback is written down in the transaction whose state it tells, and delivered by serving instances
            under the same identifier each time until its endpoint answers with 2xx: at once, then after 5s, 5m, 30m,
            2h, 5h, 10h, 14h, 20h and 24h. What was refused ten times is a dead letter until somebody replays it.
            Endpoints are declared: see `tributary apply --help`.
            """,
        subcommands: [
            ListCallbacks.self, ShowCallback.self, ReplayCallbacks.self, ListEndpoints.self, EnableEndpoint.self,
            TestEndpoint.self,
        ]
    )
}

/// Which callbacks a command is about.
struct CallbackFilter: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Only callbacks in this state.", valueName: "state"))
    var state: StoredCallback.State?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only those for this endpoint: its id, the marketplace's id, or a merchant's external identifier.",
            valueName: "endpoint"
        )
    )
    var endpoint: String?

    @Option(name: .long, help: ArgumentHelp("Only those about this order.", valueName: "ord_…"))
    var order: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those of this type, for example payment.captured.", valueName: "type")
    )
    var type: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those written down since, as 2026-11-21T07:40:09Z.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var from: Timestamp?

    @Option(
        name: .long,
        help: ArgumentHelp("Only those written down before.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var to: Timestamp?

    @OptionGroup var marketplace: MarketplaceOption

    /// Whether anything was said but the marketplace.
    var isNarrow: Bool {
        state != nil || endpoint != nil || order != nil || type != nil || from != nil || to != nil
    }

    /// The filter as it was typed.
    ///
    /// - Throws: ``CommandFailure`` for an order or an endpoint that there cannot be or is not, or `SQLError`.
    func filter(in session: any Session) throws -> CallbackTable.Filter {
        var filter = CallbackTable.Filter(marketplace: try marketplace.filter(in: session))
        filter.state = state
        filter.type = type
        filter.from = from
        filter.until = to
        filter.order = try orderID()
        if let endpoint {
            filter.endpoint = try EndpointName(endpoint).find(of: filter.marketplace, in: session).id
        }
        return filter
    }
}

extension CallbackFilter {
    private func orderID() throws(CommandFailure) -> OrderID? {
        guard let order else { return nil }
        guard let id = OrderID(order) else {
            throw .unusable("\(order.harmless) is no order's id; `tributary orders list` shows them")
        }
        return id
    }

    /// The filter as the API takes it.
    ///
    /// - Throws: ``CommandFailure`` for an order or an endpoint that there cannot be or is not.
    func members(for server: RemoteServer) async throws -> [JSON.Member] {
        var named: JSON?
        if let endpoint { named = try await EndpointArgument.load(endpoint, from: server)["id"] }
        let members: [(String, JSON?)] = [
            ("status", state.map { .string($0.rawValue) }), ("type", type.map(JSON.string)),
            ("order", try orderID().map { .string($0.text) }), ("endpoint", named),
            ("from", from.map { .string($0.description) }), ("to", to.map { .string($0.description) }),
        ]
        return members.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    }
}

extension StoredCallback.State: ExpressibleByArgument {}

/// `tributary callbacks list`.
struct ListCallbacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what the marketplace and merchants are told, newest first.",
        discussion: """
            A callback is `waiting` until its endpoint takes it, `delivered`, or `dead` once it was refused ten times. \
            How many wait and how many are dead stands behind the list.

            Example:
              tributary callbacks list --state dead --endpoint hotel-7
            """
    )

    @OptionGroup var filter: CallbackFilter

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [filter, limit] database in
            try await database.read { session in
                (
                    callbacks: try CallbackTable.list(filter.filter(in: session), limit: limit.count, in: session),
                    statistics: try CallbackStatistics.read(in: session)
                )
            }
        }
        output.write(Table(callbacks: found.callbacks), orSaying: "There are no such callbacks.")
        Console.note("in all: \(found.statistics.words)")
    }
}

extension CallbackStatistics {
    /// How much waits and how much is dead, in words.
    fileprivate var words: String {
        func number(_ count: Int64) -> String { count < Self.countLimit ? "\(count)" : "\(count) or more" }
        return "\(number(waiting)) waiting, \(number(dead)) dead"
    }
}

/// `tributary callbacks show`.
struct ShowCallback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one callback: where it stands, why, and what it says, byte for byte as it is signed.",
        discussion: """
            Exits 1 if there is no such callback.

            Example:
              tributary callbacks show cb_01jd… --format json
            """
    )

    @Argument(help: ArgumentHelp("The callback's id, as `callbacks list` shows it.", valueName: "cb_…"))
    var callback: String

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        guard let id = CallbackID(callback) else {
            throw CommandFailure.unusable(
                "\(callback.harmless) is no callback's id; `tributary callbacks list` shows them"
            )
        }
        let found = try await DatabaseUse.looking.open(database.settings()) { database in
            try await database.read { session in try CallbackTable.find(id, in: session) }
        }
        guard let found else { throw CommandFailure.finding("there is no callback \(id)") }
        let table = Table(callbacks: [found])
        switch output.format {
        case .table: Console.out(page(of: found))
        case .json:
            let members = table.json[0]?.objectValue ?? []
            Console.out(JSON.object(members + [.init("payload", .string(found.content.payload))]).prettyText)
        case .csv: output.write(table)
        }
    }

    private func page(of callback: StoredCallback) -> String {
        let facts: [(String, String?)] = [
            ("callback", callback.id.text), ("type", callback.content.type), ("state", callback.state.rawValue),
            ("endpoint", callback.endpoint.text), ("merchant", callback.content.merchant?.text),
            ("order", callback.content.order?.text), ("payment", callback.content.payment?.text),
            ("sequence", String(callback.content.sequence)), ("written down", callback.content.at.description),
            ("failed tries", String(callback.attempts)), ("next try", callback.dueAt?.description),
            ("settled", callback.settledAt?.description), ("last status", callback.lastStatus.map(String.init)),
            ("last failure", callback.lastError?.harmless),
        ]
        let present = facts.compactMap { name, value in value.map { (name, $0) } }
        let width = present.map(\.0.count).max() ?? 0
        let lines = present.map { $0 + String(repeating: " ", count: width - $0.count + 2) + $1 }
        let payload = (try? JSON.parse(text: callback.content.payload).prettyText) ?? callback.content.payload.harmless
        return lines.joined(separator: "\n") + "\n\nPayload\n" + payload
    }
}

/// `tributary callbacks replay`.
struct ReplayCallbacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Deliver callbacks again, under the same identifiers, as if they had just been written down.",
        discussion: """
            Names callbacks by id, or all that pass the options: by state, endpoint, order, type and time. The next
            serving instance that looks delivers them; an endpoint that fails or is disabled is tried when it is its
            turn, or at once after `callbacks enable`. Receivers know what they have seen by its identifier.
            Exits 1 if there is nothing to replay.

            Examples:
              tributary callbacks replay cb_01jd…
              tributary callbacks replay --state dead --endpoint hotel-7
              tributary callbacks replay --from 2026-11-21T07:00:00Z --to 2026-11-21T09:00:00Z --dry-run
            """
    )

    @Argument(help: ArgumentHelp("The callbacks' ids.", valueName: "cb_…"))
    var callbacks: [String] = []

    @OptionGroup var filter: CallbackFilter

    @Flag(name: .long, help: "Say how many, and change nothing.")
    var dryRun = false

    @OptionGroup var acting: ActingOptions

    func run() async throws {
        guard callbacks.isEmpty == filter.isNarrow else {
            throw CommandFailure.unusable(
                callbacks.isEmpty ? "say which: ids, or options such as --state dead" : "give ids or options, not both"
            )
        }
        let ids = try callbacks.map { text throws(CommandFailure) in
            guard let id = CallbackID(text) else {
                throw CommandFailure.unusable(
                    "\(text.harmless) is no callback's id; `tributary callbacks list` shows them"
                )
            }
            return id
        }
        let count = try await acting.act(in: filter.marketplace) { settings in
            try await DatabaseUse.looking.open(settings) { [filter, dryRun] database in
                let now = Timestamp(microseconds: try await database.now())
                let replay = CallbackReplay(database, by: .commandLine, isDryRun: dryRun)
                guard ids.isEmpty else { return try await replay.replay(ids, at: now) }
                return try await replay.replay(database.read { session in try filter.filter(in: session) }, at: now)
            }
        } remotely: { server in
            var wanted: [JSON.Member] = [.init("callbacks", .strings(ids.map(\.text)))]
            if ids.isEmpty { wanted = try await filter.members(for: server) }
            let body = JSON.object(wanted + [.init("dry_run", .bool(dryRun))])
            let answer = try await server.post("/v1/callbacks/replay", body).json
            return Int(answer["replayed"]?.integerValue ?? 0)
        }
        guard count > 0 else { throw CommandFailure.finding("there is nothing to replay") }
        Console.note(dryRun ? "would be due again: \(count)" : "due again: \(count)")
    }
}
