import ArgumentParser
import Domain
import Foundation
import Gateway
import HTTPAPI
import SQL
import Settings
import StrictJSON
import TributaryClient
import Wiring

/// A command that asks something of an order.
///
/// Its groups of options stand beside each other, and none in another: ``ActingOptions`` says why.
protocol OrderCommand: AsyncParsableCommand, Sendable {
    var order: OrderArgument { get }
    var sending: SendingOptions { get }
    var acting: ActingOptions { get }
    var output: FormatOption { get }
}

extension OrderCommand {
    /// Asks, watches, and shows the order.
    ///
    /// - Parameter request: what to ask of the order as it stands.
    /// - Throws: ``CommandFailure`` with the order's refusal, or `SQLError`.
    func ask(_ request: @Sendable (OrderDocument) throws -> OrderRequest) async throws {
        try await OrderAction(order: order, sending: sending, acting: acting, output: output).ask(request)
    }
}

/// Under which key something is asked of an order, and how long the answer is waited for.
struct SendingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("How many seconds to watch a serving instance do it; 0 for none.", valueName: "seconds")
    )
    var wait = 15

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The key of an earlier command that got no answer from the server: the same command under it does nothing "
                + "twice.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    func validate() throws {
        guard (0...3600).contains(wait) else { throw ValidationError("--wait is 0 to 3600") }
    }
}

/// What is asked of an order: it is written down, over HTTP or as the API would, and serving instances are watched doing it.
private struct OrderAction {
    let order: OrderArgument
    let sending: SendingOptions
    let acting: ActingOptions
    let output: FormatOption

    func ask(_ request: @Sendable (OrderDocument) throws -> OrderRequest) async throws {
        if acting.direct, sending.idempotencyKey != nil {
            throw ValidationError("--idempotency-key is for acts over HTTP, and does not go with --direct")
        }
        let shown = try await acting.act(
            directly: { settings in try await ask(settings, request) },
            remotely: { server in try await ask(server, request) }
        )
        if !shown.hasFirstReplies {
            Console.note("It is written down; nothing was heard yet. Is an instance serving? `orders show` tells.")
        }
        switch output.format {
        case .table: Console.out(OrderPage(shown).text)
        case .json: Console.out(shown.order.prettyText)
        case .csv: output.write(Table(operationsOf: shown))
        }
    }

    private func ask(
        _ settings: ServerSettings,
        _ request: @Sendable (OrderDocument) throws -> OrderRequest
    ) async throws -> OrderDocument {
        let argument = order
        return try await DatabaseUse.looking.open(settings) { database in
            let found = try await database.read { session in try argument.load(in: session) }
            let orders = try await Gateway.Orders.command(database, settings)
            do {
                let subject = Gateway.Orders.Subject(found.id, of: nil, by: .commandLine)
                _ = try await orders.request(try request(OrderDocument(found)), of: subject)
            } catch let refusal as RequestRefusal {
                throw Self.failure(refusal.code.rawValue, refusal.detail)
            }
            guard let order = try await orders.replies(to: found.id, withinMilliseconds: Int64(sending.wait) * 1000)
            else {
                throw argument.missing
            }
            return OrderDocument(order)
        }
    }

    private func ask(
        _ server: RemoteServer,
        _ request: @Sendable (OrderDocument) throws -> OrderRequest
    ) async throws -> OrderDocument {
        let found = try await load(from: server)
        let path = "/v1/orders/" + found.order.text("id")
        let (action, body) = try request(found).document
        try await server.post(
            "\(path)/\(action)",
            body,
            under: sending.idempotencyKey ?? TributaryClient.makeIdempotencyKey(),
            orSaying: order.missing
        ) { problem in
            guard problem.status != 403, RequestRefusal.Code(rawValue: problem.code) != nil else { return nil }
            return Self.failure(problem.code, problem.detail)
        }
        do throws(CommandFailure) {
            return try await watch(server, path)
        } catch {
            throw CommandFailure.unusable(
                "it is written down, but what became of it is not known: \(error.description)"
            )
        }
    }

    /// The order once something was heard of all that was asked, or when the patience is over.
    private func watch(_ server: RemoteServer, _ path: String) async throws(CommandFailure) -> OrderDocument {
        let end = ContinuousClock.now + .seconds(sending.wait)
        var shown = try await load(from: server)
        while !shown.hasFirstReplies {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { break }
            let patience = min(left, .seconds(10))
            do {
                try await server.post(
                    path + "/wait",
                    [
                        "after_version": shown.order["version"] ?? 0,
                        "timeout_ms": .integer(max(1, Int64(patience / .milliseconds(1)))),
                    ]
                )
            } catch {
                // Others wait already, as many as may: it is looked at again a little later.
                try? await Task.sleep(for: .milliseconds(300))
            }
            shown = try await load(from: server)
        }
        return shown
    }

    private func load(from server: RemoteServer) async throws(CommandFailure) -> OrderDocument {
        let name = RemoteServer.segment(order.order)
        let path = OrderID(order.order) == nil ? "/v1/orders/by-reference/\(name)" : "/v1/orders/\(name)"
        let found = try await server.get(path, orSaying: order.missing)
        let operations = try await server.get("/v1/orders/\(found.text("id"))/operations", orSaying: order.missing)
        return OrderDocument(order: found, operations: operations.list("data"))
    }

    private static func failure(_ code: String, _ detail: String) -> CommandFailure { .finding("\(code): \(detail)") }
}

extension Gateway.Orders {
    /// The requests of a command, which are written down; serving instances carry them out.
    static func command(_ database: any Database, _ settings: ServerSettings) async throws -> Gateway.Orders {
        remote(
            database: database,
            clock: try await DatabaseClock(database),
            rules: settings.timings.orderTimings,
            capabilities: AdapterCatalog.psps.mapValues(\.capabilities),
            instance: "command-" + String(UInt64.random(in: .min ... .max), radix: 36),
            presentation: OrderPresenter.presentation,
            // Nobody tells another process of what is done to an embedded database.
            waitNetMilliseconds: database.dialect == .sqlite ? 200 : GatewaySettings().waitNetMilliseconds
        )
    }
}

/// `tributary orders capture`.
struct CaptureOrder: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Take what is held of an order: all of it, or amounts of payments.",
        discussion: """
            Amounts are decimals of the order's currency: `--payment hotel-7=15.00` takes so much of hotel-7's payment,
            `--payment hotel-7` all that is held of it. What is left of a hold is released, unless --keep-rest says
            otherwise and the PSP captures several times.
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("A payment, and how much of it to take.", valueName: "payment[=amount]"),
        transform: PaymentAmount.init(argument:)
    )
    var payment: [PaymentAmount] = []

    @Flag(name: .long, help: "Keep holding what is left.")
    var keepRest = false

    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func validate() throws {
        if keepRest, payment.isEmpty { throw ValidationError("--keep-rest needs --payment") }
    }

    func run() async throws {
        try await ask { [payment, keepRest] order in
            guard !payment.isEmpty else { return .capture(.whole) }
            let items = try payment.map {
                CaptureRequest.Item(
                    payment: try $0.payment(in: order).id,
                    amount: try $0.units(of: order),
                    isFinal: !keepRest
                )
            }
            return .capture(.items(items))
        }
    }
}

/// `tributary orders release`.
struct ReleaseOrder: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Let go of what an order holds beyond what is captured: all of it, or that of payments.",
        discussion: """
            For an accepted order under manual capture, for example after `orders capture --keep-rest`. A PSP that lets go
            of nothing behind a partial capture refuses it; there the rest lapses by itself.
            """
    )

    @Option(name: .long, help: ArgumentHelp("A payment whose rest is let go of.", valueName: "payment"))
    var payment: [String] = []

    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        try await ask { [payment] order in
            guard !payment.isEmpty else { return .release(.whole) }
            return .release(.payments(try payment.map { try PaymentAmount(name: $0).payment(in: order).id }))
        }
    }
}

/// `tributary orders cancel`.
struct CancelOrder: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Call an order off and release what it holds, or payments of it.",
        discussion: """
            The whole order only while nothing is captured. With --payment, those payments count no more, and the others
            go on: before anything is captured the order's policy has to accept what is left, behind that an
            all-or-nothing order refuses it. Of a payment that is captured in part, the rest of the hold is released,
            where the PSP lets go of it.
            """
    )

    @Option(name: .long, help: ArgumentHelp("A payment to call off.", valueName: "payment"))
    var payment: [String] = []

    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        try await ask { [payment] order in
            guard !payment.isEmpty else { return .cancel }
            return .cancelPayments(try payment.map { try PaymentAmount(name: $0).payment(in: order).id })
        }
    }
}

/// `tributary orders refund`.
struct RefundOrder: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Give money back: all that is left, an amount, or amounts of payments.",
        discussion: """
            Amounts are decimals of the order's currency. Without --amount and --payment everything that is left is given
            back. An amount of an order with several captured payments needs --proportional, which divides it in
            proportion to what is still refundable.
            """
    )

    @Option(name: .long, help: "How much to give back in all, as 12.00.")
    var amount: TypedAmount?

    @Flag(name: .long, help: "Divide the amount over the payments in proportion.")
    var proportional = false

    @Option(
        name: .long,
        help: ArgumentHelp("A payment, and how much of it to give back.", valueName: "payment=amount"),
        transform: PaymentAmount.init(argument:)
    )
    var payment: [PaymentAmount] = []

    @Option(name: .long, help: "Who bears the merchant's share: merchant or marketplace.")
    var borneBy: Refund.Bearer = .merchant

    @Option(name: .long, help: "Why, for the order's history.")
    var reason = ""

    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws {
        reason = try TextRule.freeText.checked(reason, "--reason")
        if amount != nil, !payment.isEmpty { throw ValidationError("say --amount or --payment, not both") }
        if let amount, amount.isZero { throw ValidationError("--amount is above zero") }
        if proportional, amount == nil { throw ValidationError("--proportional needs --amount") }
        if payment.contains(where: { $0.amount == nil }) {
            throw ValidationError("say how much of each payment: --payment NAME=AMOUNT")
        }
    }

    func run() async throws {
        try await ask { [self] order in
            .refund(RefundRequest(try share(of: order), borneBy: borneBy, reason: reason))
        }
    }

    private func share(of order: OrderDocument) throws -> RefundRequest.Share {
        guard payment.isEmpty else {
            return .items(
                try payment.map {
                    Refund.Item(payment: try $0.payment(in: order).id, amount: try $0.units(of: order) ?? 0)
                }
            )
        }
        guard let amount = try amount?.money(in: order.currency(), "--amount").minorUnits else { return .all }
        return proportional ? .proportional(amount) : .amount(amount)
    }
}

extension Refund.Bearer: ExpressibleByArgument {}

/// `tributary orders retry`.
struct RetryOperation: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try now what rests: ask or send again what is in doubt, try once more what a PSP refused.",
        discussion: """
            A release, a refund or a capture that a PSP keeps refusing rests after some tries, with an item in `attention
            list`. Once its cause is mended (a key, a permission, a balance at the PSP), this tries it once more, under a
            new idempotency key. What is in doubt is asked after, or sent again under its own key, without waiting for
            its next turn. If it is refused again, it rests again.
            """
    )

    @Option(name: .long, help: "The operation's id; may be left out for all of the order's that rest.")
    var operation: String?

    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        try await ask { [operation] _ in
            guard let operation else { return .retry(nil, by: NSUserName()) }
            guard let id = OperationID(operation) else {
                throw CommandFailure.unusable("\(operation.harmless) is no operation's id; `orders show` lists them")
            }
            return .retry(id, by: NSUserName())
        }
    }
}
