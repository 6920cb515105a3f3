import ArgumentParser
import Domain
import HTTPAPI
import Reconciliation
import SQL
import Storage
import StrictJSON

/// `tributary orders`.
struct Orders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, find and explain orders, and act on them.",
        subcommands: [
            ListOrders.self, FindOrders.self, ShowOrder.self, OrderEvents.self, CaptureOrder.self, ReleaseOrder.self,
            CancelOrder.self, RefundOrder.self, ResolveOperation.self, RetryOperation.self, RecordDispute.self,
            RecordRefund.self, RecordCapture.self, RecordVoid.self, ProveOrder.self,
        ]
    )
}

/// `tributary orders list`.
struct ListOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List orders, newest first.",
        discussion: """
            JSON shows each order as the API does. Exits 1 if an order cannot be read; the others are listed.

            Example:
              tributary orders list --status compensating --format csv
            """
    )

    @Option(name: .long, help: ArgumentHelp("Only orders with this status.", valueName: "status"))
    var status: OrderStatus?

    @Option(name: .long, help: ArgumentHelp("Only orders with this reference.", valueName: "reference"))
    var reference: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, status, reference, limit] database in
            try await database.read { session in
                var filter = OrderSearch.Filter(marketplace: try marketplace.filter(in: session))
                filter.status = status
                filter.reference = reference
                return try OrderSearch.listReadable(filter, limit: limit.count, in: session)
            }
        }
        output.write(Table(orders: found.orders), json: .array(found.orders.map(OrderPresenter.json)))
        guard found.unreadable.isEmpty else {
            let complaints = found.unreadable.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.detail)" }
            throw CommandFailure.finding("what cannot be read is left out: " + complaints.joined(separator: " "))
        }
    }
}

extension OrderStatus: ExpressibleByArgument {}

/// `tributary orders find`.
struct FindOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the order behind a PSP's reference.",
        discussion: """
            Exits 1 if there is none.

            Example:
              tributary orders find --psp-reference pi_3NqExample
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("What the PSP calls the payment, as its dashboard shows it.", valueName: "reference")
    )
    var pspReference: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let orders = try await DatabaseUse.looking.open(database.settings()) { [marketplace, pspReference] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return try OrderSearch.find(pspReference: pspReference, marketplace: owner, in: session)
            }
        }
        output.write(Table(orders: orders), json: .array(orders.map(OrderPresenter.json)))
        guard !orders.isEmpty else { throw CommandFailure.finding("no order has a payment with that PSP reference") }
    }
}

/// `tributary orders show`.
struct ShowOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an order, its payments, and everything asked of PSPs for them.",
        discussion: """
            JSON is the order as the API shows it, with `operations` behind it; CSV has a line for each operation.
            """
    )

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let order = try await DatabaseUse.looking.open(database.settings()) { [order] database in
            try await database.read { session in try order.load(in: session) }
        }
        let document = OrderDocument(order)
        let operations = Table(operationsOf: document)
        switch output.format {
        case .table: Console.out(OrderPage(document, of: order.marketplace).text)
        case .json:
            let members = document.order.objectValue ?? []
            Console.out(JSON.object(members + [.init("operations", operations.json)]).prettyText)
        case .csv: output.write(operations)
        }
    }
}

/// `tributary orders events`.
struct OrderEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show an order's history: every step, every decision and what it was made on."
    )

    private static let eventsAtOnce = 1000

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (order, events) = try await DatabaseUse.looking.open(database.settings()) { [order] database in
            try await database.read { session in
                let order = try order.load(in: session)
                return (order, try Self.events(of: order.id, in: session))
            }
        }
        let merchants = Dictionary(uniqueKeysWithValues: order.payments.map { ($0.id, $0.externalIdentifier) })
        var table = Table("sequence", "at", "type", "merchant", "details")
        for event in events {
            let details = event.details.map { "\($0.name): \($0.value.words)" }.joined(separator: "; ")
            table.add(
                .integer(event.sequence),
                .moment(event.at),
                .text(event.type),
                .optional(event.payment.flatMap { merchants[$0] }),
                .optional(details.isEmpty ? nil : details)
            )
        }
        output.write(table, json: .array(events.map(EventPresenter.json)))
    }

    private static func events(of order: OrderID, in session: any Session) throws(SQLError) -> [OrderEvent] {
        var all: [OrderEvent] = []
        while true {
            let page = try OrderSteps.events(
                of: order,
                after: all.last?.sequence ?? 0,
                limit: eventsAtOnce,
                in: session
            )
            all += page
            if page.count < eventsAtOnce { return all }
        }
    }
}

extension OrderEvent.Value {
    fileprivate var words: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .list(let texts): texts.joined(separator: ", ")
        }
    }
}

/// `tributary orders proof`.
struct ProveOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proof",
        abstract: "Show where an order's money went, as equations, each figure with its source.",
        discussion: """
            From the total over contexts, allocation lines, operations and postings to the PSP's lines, its payouts and the
            bank's credits. `agrees` is proven, `accepted` differs by what was written off or forced, `waiting` means that
            no file has told of it yet. `differs` is an equation that does not hold, and a break of the order that nobody
            has resolved; one that is resolved says how: matched, written off, corrected or forced.
            Exits 1 if anything differs, 4 if our own books contradict each other.
            """
    )

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (order, proof) = try await DatabaseUse.looking.open(database.settings()) { [order] database in
            try await database.read { session in
                let order = try order.load(in: session)
                let proof = try OrderProofTable.proof(of: order.id, marketplace: order.marketplace, in: session)
                return (order, proof)
            }
        }
        guard let proof else { throw CommandFailure.finding("there is no order \(self.order.order.harmless)") }
        let equations = OrderEquations(order, proof)
        switch output.format {
        case .table: Console.out(ProofPage(order, proof, equations).text)
        case .json: Console.out(ProofPage(order, proof, equations).json.prettyText)
        case .csv: output.write(Table(equations))
        }
        if equations.areBooksWrong { throw CommandFailure.brokenBooks("the books of this order contradict each other") }
        if equations.differ { throw CommandFailure.finding("what files say of this order is not what our books say") }
    }
}
