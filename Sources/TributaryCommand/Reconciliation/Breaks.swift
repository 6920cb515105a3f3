import ArgumentParser
import Domain
import Foundation
import Gateway
import HTTPAPI
import Keyring
import SQL
import Settings
import Storage
import StrictJSON

/// `tributary breaks`.
struct Breaks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what files and books differ by, and say what became of it.",
        subcommands: [ListBreaks.self, ShowBreak.self, ResolveBreak.self]
    )
}

/// The break a command is about.
struct BreakArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The break's id.", valueName: "brk_…"))
    var id: String

    func validate() throws {
        guard BreakID(id) != nil else { throw ValidationError("\(id.harmless) is no break's id (brk_…)") }
    }

    /// The break's identifier.
    ///
    /// - Throws: ``CommandFailure`` for what is none.
    func breakID() throws -> BreakID {
        guard let id = BreakID(id) else { throw CommandFailure.finding("there is no break \(id.harmless)") }
        return id
    }

    /// Reads the break and what was done about it.
    ///
    /// - Throws: ``CommandFailure`` if the marketplace has none with that id, or `SQLError`.
    func load(
        of marketplace: String,
        in session: any Session
    ) throws -> (difference: StoredBreak, actions: [BreakAction]) {
        guard let found = try BreakTable.show(breakID(), of: marketplace, in: session) else {
            throw CommandFailure.finding("there is no break \(id.harmless)")
        }
        return found
    }
}

/// `tributary breaks list`.
struct ListBreaks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List breaks, the unresolved ones unless said, with their age and the value at risk.",
        discussion: "Exits 1 if any that is shown waits for somebody, so that a scheduler can ask."
    )

    @Option(name: .long, help: "Only breaks in this state; `all` for every one.")
    var state: String?

    @Option(name: .long, help: "Only breaks of this type.")
    var type: String?

    @Option(name: .long, help: ArgumentHelp("Only breaks of this PSP or PSP account.", valueName: "name"))
    var psp: String?

    @Option(name: .long, help: ArgumentHelp("Only breaks of this merchant.", valueName: "merchant"))
    var merchant: String?

    @Option(name: .long, help: ArgumentHelp("Only breaks of this order.", valueName: "id"))
    var order: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws {
        _ = try states()
        if let type, BreakType(rawValue: type) == nil {
            let known = BreakType.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no break type \(type.harmless); there are \(known)")
        }
        if let order, OrderID(order) == nil { throw ValidationError("--order takes an order's id (ord_…)") }
    }

    func run() async throws {
        let (breaks, now) = try await DatabaseUse.looking.open(database.settings()) { [self] database in
            let now = Timestamp(microseconds: try await database.now())
            let breaks = try await database.read { [self] session in
                try BreakTable.list(filter(in: session), after: nil, limit: limit.count, in: session)
            }
            return (breaks, now)
        }
        let table = Table(breaks: breaks.map { ListPresenter.json($0) }, at: now)
        output.write(table)
        if case .table = output.format, !breaks.isEmpty { Console.out("\n" + Table(agesOf: breaks, at: now).text) }
        guard !breaks.contains(where: \.state.isUnresolved) else { throw ExitCode(1) }
    }

    private func filter(in session: any Session) throws -> BreakTable.Filter {
        var filter = BreakTable.Filter(marketplace: try marketplace.choose(in: session))
        filter.states = try states()
        filter.types = Set([type.flatMap(BreakType.init(rawValue:))].compactMap(\.self))
        filter.order = order.flatMap { OrderID($0) }
        filter.merchant = try merchant.map { try marketplace.merchant($0, in: session).id }
        guard let psp else { return filter }
        if try PSPAccountTable.find(psp, of: filter.marketplace, in: session) != nil {
            filter.pspAccount = psp
        } else {
            filter.psp = psp
        }
        return filter
    }

    private func states() throws -> Set<BreakState> {
        guard let state else { return [.open, .investigating] }
        if state == "all" { return [] }
        guard let known = BreakState(rawValue: state) else {
            let words = BreakState.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no state \(state.harmless); there are \(words) and all")
        }
        return [known]
    }
}

/// `tributary breaks show`.
struct ShowBreak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a break: what differs, what would fix it, and what was done about it."
    )

    @OptionGroup var argument: BreakArgument
    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (found, now) = try await DatabaseUse.looking.open(database.settings()) { [argument, marketplace] database in
            let now = Timestamp(microseconds: try await database.now())
            let found = try await database.read { session in
                try argument.load(of: marketplace.choose(in: session), in: session)
            }
            return (found, now)
        }
        var actions = Table("at", "from", "to", "actor", "reason")
        for action in found.actions {
            actions.add(
                .moment(action.at),
                .text(action.from.rawValue),
                .text(action.to.rawValue),
                .text(action.actor),
                .text(action.reason)
            )
        }
        switch output.format {
        case .table:
            Console.out(Table(breaks: [ListPresenter.json(found.difference)], at: now).text)
            Console.out("\n\(found.difference.difference.explanation.harmless)")
            Console.out(found.difference.difference.suggestion.harmless)
            for place in found.difference.difference.lines {
                Console.out("  file \(place.file.prefix(12))… member \(place.member) row \(place.row)")
            }
            if !actions.rows.isEmpty { Console.out("\n" + actions.text) }
        case .json:
            let row = BreakRow(id: found.difference.id, difference: found.difference.difference, asOf: .utc(now))
            let members =
                (row.json.objectValue ?? []) + [
                    .init("state", .string(found.difference.state.rawValue)), .init("actions", actions.json),
                ]
            Console.out(JSON.object(members).prettyText)
        case .csv: output.write(actions)
        }
    }
}

/// `tributary breaks resolve`.
struct ResolveBreak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Say what became of a break, and why.",
        discussion: """
            investigating: somebody looks into it. matched: it is explained. corrected: the PSP or bank puts it right.
            written_off: the difference is accepted; forced: it is settled against the rules. These two are posted to the
            journal and need an API key with the scope adjuster: over HTTP that of TRIBUTARY_API_KEY; with --direct
            another, which --key names as env:NAME or file:PATH, and whose id is written down beside your name.

            Example:
              tributary breaks resolve brk_… --as written_off --reason "below 1 USD, agreed"
            """
    )

    /// What an operator may say.
    enum Word: String, CaseIterable, ExpressibleByArgument {
        /// Nobody looks at it any more.
        case open
        /// Somebody looks into it.
        case investigating
        /// It is explained.
        case matched
        /// It is accepted and posted.
        case writtenOff = "written_off"
        /// It is put right by whom it is due to.
        case corrected
        /// It is settled against the rules and posted.
        case forced

        var state: BreakState {
            switch self {
            case .open: .open
            case .investigating: .investigating
            case .matched: .matched
            case .writtenOff: .writtenOff
            case .corrected: .corrected
            case .forced: .forced
            }
        }
    }

    @OptionGroup var argument: BreakArgument

    @Option(name: .customLong("as"), help: "What became of it.")
    var word: Word

    @Option(name: .long, help: "Why, in a line.")
    var reason: String

    @Option(
        name: .long,
        help: ArgumentHelp("With --direct, where the API key is: env:NAME or file:PATH.", valueName: "reference")
    )
    var key: String?

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws { reason = try TextRule.freeText.checked(reason, "--reason") }

    func run() async throws {
        let (changed, now) = try await acting.act(in: marketplace) { settings in
            try await resolve(settings)
        } remotely: { server in
            guard key == nil else {
                throw CommandFailure.unusable("--key is for --direct: over HTTP the key of TRIBUTARY_API_KEY counts")
            }
            let id = try argument.breakID()
            let body: JSON = ["as": .string(word.rawValue), "reason": .string(reason)]
            let missing = CommandFailure(BreakRefusal.unknown(id))
            return (try await server.post("/v1/breaks/\(id)/resolve", body, orSaying: missing).json, MomentOption.now)
        }
        output.write(Table(breaks: [changed], at: now))
    }

    private func resolve(_ settings: ServerSettings) async throws -> (JSON, Timestamp) {
        let secret = try key.map(Self.secret)
        if word.state.isPosted, secret == nil {
            throw CommandFailure.unusable("\(word.rawValue) needs an API key with the scope adjuster: --key env:NAME")
        }
        let hash = secret.map { APIKeyHash.of(Array($0.reveal().utf8)) }
        return try await DatabaseUse.looking.open(settings) { [self] database in
            let now = Timestamp(microseconds: try await database.now())
            let changed = try await BreakResolution(database, by: .commandLine).resolve(
                try argument.breakID(),
                of: marketplace.choice,
                as: word.state,
                because: reason,
                by: NSUserName(),
                with: hash,
                at: now
            )
            return (ListPresenter.json(changed), now)
        }
    }

    private static func secret(_ text: String) throws -> Secret {
        guard let reference = SecretReference(text) else {
            throw CommandFailure.unusable(
                "--key is env:NAME or file:PATH; the key itself has no place in a command line"
            )
        }
        return try reference.resolve(in: .process)
    }
}

extension CommandFailure {
    /// Says why nothing was done about a break.
    init(_ refusal: BreakRefusal) {
        switch refusal {
        case .unknown(let id): self = .finding("there is no break \(id)")
        case .illegal(let from, let to):
            self = .unusable("a break that is \(from.rawValue) does not become \(to.rawValue)")
        case .changed(let state):
            self = .unusable("somebody else was faster: it is \(state.rawValue) now; look at it again")
        case .unusableText:
            self = .unusable("--reason is a line of 1 to \(BreakDecision.textLimit) bytes")
        }
    }
}
