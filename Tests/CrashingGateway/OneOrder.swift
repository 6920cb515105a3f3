import AdapterKit
import Domain
import Foundation
import Gateway
import HTTPAPI
import HTTPTransport
import Keyring
import Logging
import SQL
import Storage
import StrictJSON
import Wiring

/// A whole gateway that drives one order until it is at rest.
struct OneOrder {
    private static let marketplace = "bazaar"
    /// Every instance has the same; a test has nothing to hide.
    private static let key = Secret(String(repeating: "5a", count: Keyring.keyLength))
    private static let lookPause = Duration.milliseconds(10)

    private let instructions: Instructions
    private let database: any Database
    private let trap: Trap

    /// The program's exit code is not 0 if the order it placed is not the only one.
    struct NotOneOrder: Error {
        let count: Int
    }

    init(_ instructions: Instructions) throws {
        self.instructions = instructions
        trap = Trap(instructions.moment, number: instructions.number)
        database = try OpenedDatabase.open(instructions.database)
    }

    /// Places the order, writes the answer, and returns once the order is at rest.
    func run() async throws {
        let transport = HTTPTransport()
        let gateway = try await gateway(transport)
        let driving = Task { await gateway.run() }
        let use = IdempotencyTable.Use(
            marketplace: Self.marketplace,
            scope: "POST /v1/orders",
            key: instructions.key,
            bodyHash: "the body"
        )
        let answer = try await gateway.place(instructions.draft, under: use)
        if case .final(let bytes) = answer.body { FileHandle.standardOutput.write(Data(bytes)) }
        while try await !isAtRest(answer.order) { try await Task.sleep(for: Self.lookPause) }
        driving.cancel()
        await transport.stop()
    }

    private func gateway(_ transport: HTTPTransport) async throws -> Gateway {
        let clock = AdvancedClock(
            base: try await DatabaseClock(database),
            milliseconds: instructions.aheadMilliseconds
        )
        let trapped = TrappedDatabase(base: database, trap: trap)
        let prefix = instructions.accountPrefix
        let ports = Gateway.Ports(
            database: trapped,
            clock: clock,
            sender: TrappedSender(base: CurlSender(transport), trap: trap),
            vault: Vault(try Keyring(current: "k1", keys: ["k1": Self.key])),
            directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { reference in
                Secret("key_" + prefix + String(reference.dropFirst("env:".count)))
            },
            presentation: OrderPresenter.presentation,
            logger: Logger(label: "crashing") { StreamLogHandler.standardError(label: $0) }
        )
        return Gateway(ports, settings: settings, instance: instructions.instance)
    }

    /// Short times, except for the grace: an order is accepted or refused for what its PSPs say, not for how long a
    /// dead instance kept them waiting.
    private var settings: GatewaySettings {
        GatewaySettings(
            rules: OrderTimings(
                leaseMilliseconds: instructions.leaseMilliseconds,
                unknownScheduleMilliseconds: [100, 200, 400],
                graceMilliseconds: 600_000
            ),
            pspTimeoutMilliseconds: instructions.pspTimeoutMilliseconds,
            pollMilliseconds: 20
        )
    }

    private func isAtRest(_ id: OrderID) async throws -> Bool {
        let orders = try await database.read { session in
            try OrderSearch.list(OrderSearch.Filter(marketplace: nil), limit: 2, in: session)
        }
        guard orders.count == 1, let order = orders.first, order.id == id else {
            throw NotOneOrder(count: orders.count)
        }
        let isDecided = order.decision.state != .pending && order.decision.state != .cleared
        return isDecided && order.isAnswered && order.status != .compensating
            && !order.payments.contains(where: \.isUnresolved)
    }
}

/// What the program is told to do.
struct Instructions {
    /// Where the books are: `sqlite:PATH` or `postgres://…`.
    var database: String
    /// A name no other instance has.
    var instance: String
    /// What the names of the accounts at the PSPs begin with.
    var accountPrefix: String
    /// How far its clock is ahead of the database's, in milliseconds.
    var aheadMilliseconds: Int64
    /// How long a PSP may take, in milliseconds.
    var pspTimeoutMilliseconds: Int64
    /// How long an operation is leased for, in milliseconds.
    var leaseMilliseconds: Int64
    /// Where it dies, if it does.
    var moment: Trap.Moment?
    /// The how manieth place of that kind it dies at.
    var number: Int
    /// The idempotency key under which it places the order.
    var key: String
    /// The order.
    var draft: OrderDraft

    /// Reads the document.
    ///
    /// - Throws: `JSONRefusal` or `InvalidDocument`.
    init(text: String) throws { self = try JSON.parse(text: text).read { Instructions($0) } }

    private init?(_ body: ObjectReader) {
        let database = body.string("database", length: 1...1000)
        let instance = body.string("instance")
        let prefix = body.string("account_prefix")
        let ahead = body.integer("ahead_ms", in: 0...86_400_000)
        let timeout = body.integer("psp_timeout_ms", in: 1...60_000)
        let lease = body.integer("lease_ms", in: 1...600_000)
        let moment = body.choice("die_at", .optional, of: Trap.Moment.self)
        let number = body.integer("die_at_number", .optional, in: 1...1000)
        let key = body.string("key")
        let draft = body.object("order") { Self.draft($0) }
        guard let database, let instance, let prefix, let ahead, let timeout, let lease, let key, let draft else {
            return nil
        }
        self.database = database
        self.instance = instance
        accountPrefix = prefix
        aheadMilliseconds = ahead
        pspTimeoutMilliseconds = timeout
        leaseMilliseconds = lease
        self.moment = moment
        self.number = Int(number ?? 1)
        self.key = key
        self.draft = draft
    }

    private static func draft(_ body: ObjectReader) -> OrderDraft? {
        let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
        let capture = body.choice("capture", of: OrderTerms.Capture.self)
        let onDeadline = body.parsed("on_deadline", expecting: "a word") { OrderTerms.OnDeadline(rawValue: $0) }
        let deadline = body.integer("deadline_ms", in: 1...600_000)
        let policy = body.object("policy") { Self.policy($0) }
        guard let currency, let capture, let onDeadline, let deadline, let policy,
            let contexts = body.array("contexts", count: 1...50, { Self.context($0, currency) }),
            let amount = try? Money(
                minorUnits: contexts.reduce(0) { $0 + $1.amount.minorUnits },
                currency: currency
            )
        else { return nil }
        return OrderDraft(
            amount: amount,
            policy: policy,
            capture: capture,
            deadlineMilliseconds: deadline,
            onDeadline: onDeadline,
            contexts: contexts
        )
    }

    private static func policy(_ body: ObjectReader) -> Policy? {
        switch body.string("type") {
        case "all_or_nothing": .allOrNothing
        case "best_effort": .bestEffort
        case "required": body.strings("external_identifiers", count: 1...50).map { .required(Set($0)) }
        case "minimum": body.integer("amount").map { .minimum($0) }
        default: nil
        }
    }

    private static func context(_ body: ObjectReader, _ currency: Currency) -> OrderDraft.Context? {
        guard let name = body.string("external_identifier"), let amount = body.integer("amount", in: 1 ... .max),
            let money = try? Money(minorUnits: amount, currency: currency),
            let token = body.string("token"), let account = body.string("psp_account")
        else { return nil }
        return OrderDraft.Context(
            externalIdentifier: name,
            amount: money,
            payment: OrderDraft.Instrument(credential: .pspToken(Secret(token)), pspAccount: account)
        )
    }
}

/// A clock that is ahead of another, so that an instance sees at once what is due later.
struct AdvancedClock: GatewayClock {
    let base: any GatewayClock
    let milliseconds: Int64

    func now() -> Timestamp { base.now().adding(milliseconds: milliseconds) }

    func sleep(until time: Timestamp) async throws {
        try await base.sleep(until: time.adding(milliseconds: -milliseconds))
    }
}
