import ArgumentParser
import Domain
import SQL
import Storage

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
        let table = Table(breaks: breaks, at: now)
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
