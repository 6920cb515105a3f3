import AdapterKit
package import Domain
package import Logging
package import SQL
package import Storage

/// The use cases.
///
/// Instances are stateless: any number of them share one database, and none knows another.
package final class Gateway: Sendable {
    /// The database that all instances share.
    package let database: any Database
    /// The database's time.
    package let clock: any GatewayClock
    /// Times and limits.
    package let settings: GatewaySettings
    /// The adapters of PSP accounts.
    package let directory: PSPDirectory
    /// What wallets need of the outside.
    package let wallets: WalletPorts

    /// Takes what PSPs say on their own.
    package let webhooks: WebhookDesk

    /// Where requests that move money come in.
    package let door: Door

    private let placer: OrderPlacer
    private let desk: OrderDesk
    private let dispatcher: Dispatcher
    private let pacemaker: Pacemaker
    let requests: RequestDesk
    let relay: StepRelay
    let waiters: Waiters

    /// What a gateway needs of the outside.
    package struct Ports: Sendable {
        /// The database.
        package var database: any Database
        /// The database's time.
        package var clock: any GatewayClock
        /// The way to PSPs.
        package var sender: any Sender
        /// Seals credentials.
        package var vault: Vault
        /// The adapters of PSP accounts.
        package var directory: PSPDirectory
        /// What wallets need of the outside.
        package var wallets: WalletPorts
        /// Writes orders as answers and callbacks show them.
        package var presentation: Presentation
        /// Told after a commit that wrote callbacks down; must not block.
        package var onAnnouncement: @Sendable () -> Void
        /// Background logger.
        package var logger: Logger

        /// Gathers the ports.
        package init(
            database: any Database,
            clock: any GatewayClock,
            sender: any Sender,
            vault: Vault,
            directory: PSPDirectory,
            wallets: WalletPorts = .none,
            presentation: Presentation,
            onAnnouncement: @escaping @Sendable () -> Void = {},
            logger: Logger
        ) {
            self.database = database
            self.clock = clock
            self.sender = sender
            self.vault = vault
            self.directory = directory
            self.wallets = wallets
            self.presentation = presentation
            self.onAnnouncement = onAnnouncement
            self.logger = logger
        }
    }

    /// Makes an instance.
    ///
    /// - Parameters:
    ///   - ports: what it needs of the outside.
    ///   - settings: times and limits.
    ///   - instance: a name no other instance has.
    package init(_ ports: Ports, settings: GatewaySettings = GatewaySettings(), instance: String) {
        let credentials = CredentialKeys(ports)
        door = Door(settings.admission, clock: ports.clock)
        let lines = CallLines(places: settings.callsPerAccount, door: door)
        let carrier = Carrier(
            directory: ports.directory,
            database: ports.database,
            sender: ports.sender,
            credentials: credentials,
            clock: ports.clock,
            settings: settings,
            health: AccountHealth(.init(breaker: .init(failures: settings.breakerFailures))),
            lines: lines,
            logger: ports.logger
        )
        let dispatcher = Dispatcher(carrier: carrier, clock: ports.clock, logger: ports.logger)
        let waiters = Waiters()
        let relay = StepRelay(waiters: waiters, dispatcher: dispatcher, onAnnouncement: ports.onAnnouncement)
        let writer = StepWriter(instance: instance, presentation: ports.presentation)
        let failures = FailureRecorder(database: ports.database, clock: ports.clock, logger: ports.logger)
        let desk = OrderDesk(
            database: ports.database,
            clock: ports.clock,
            rules: settings.rules,
            writer: writer,
            failures: failures,
            onStep: relay.forward
        )
        relay.connect(to: desk)
        database = ports.database
        clock = ports.clock
        directory = ports.directory
        wallets = ports.wallets
        self.settings = settings
        self.dispatcher = dispatcher
        self.waiters = waiters
        self.relay = relay
        requests = RequestDesk(
            database: ports.database,
            clock: ports.clock,
            rules: settings.rules,
            writer: writer,
            capabilities: ports.directory.capabilities,
            performs: true
        )
        self.desk = desk
        placer = OrderPlacer(
            database: ports.database,
            directory: ports.directory,
            wallets: WalletDesk(database: ports.database, clock: ports.clock, ports: ports.wallets),
            credentials: credentials,
            clock: ports.clock,
            instance: instance,
            settings: settings,
            lines: lines
        )
        let folder = WebhookFolder(ports, rules: settings.rules, writer: writer, onStep: relay.forward)
        webhooks = WebhookDesk(ports, folder: folder)
        pacemaker = Pacemaker(
            database: ports.database,
            desk: desk,
            failures: failures,
            directory: ports.directory,
            webhooks: folder,
            credentials: credentials,
            clock: ports.clock,
            settings: settings,
            logger: ports.logger
        )
    }

    /// Places an order, has its payments authorized, and waits for the answer.
    ///
    /// - Parameters:
    ///   - draft: what is ordered.
    ///   - use: the key it comes under.
    ///   - caller: who orders.
    ///   - visit: the request's stay inside the door, which ends when the order is placed.
    /// - Returns: the final answer, or where the order stands once its deadline has passed.
    /// - Throws: ``PlacementRefusal``, ``Overload`` if it cannot be sent in time, `SQLError` if the database cannot be
    ///   reached, or `CancellationError` if nobody waits any more; what was placed goes on all the same.
    package func place(
        _ draft: OrderDraft,
        under use: IdempotencyTable.Use,
        by caller: Caller? = nil,
        on visit: Visit? = nil
    ) async throws -> Answer {
        try await door.answering {
            let result = try await placer.place(draft, under: use, by: caller)
            visit?.leave()
            return try await answer(to: result, patience: draft.deadlineMilliseconds ?? settings.deadlineMilliseconds)
        }
    }

    private func answer(to result: OrderPlacer.Result, patience: Int64) async throws -> Answer {
        switch result {
        case .placed(let order, let credentials):
            desk.keep(order)
            let leased = order.payments.map(\.attempt.authorization.id)
            return try await waiters.withLine(on: order.id, clock: clock) { line in
                dispatcher.dispatch(leased, of: order, credentials: credentials, desk: desk)
                return try await answer(to: order, until: order.terms.deadlineAt, isReplay: false, on: &line)
            }
        case .known(let id, let stored?):
            return Answer(order: id, body: .final(stored), isReplay: true)
        case .known(let id, nil):
            return try await waiters.withLine(on: id, clock: clock) { line in
                guard let order = try await load(id) else { throw OrderDeskError.unknownOrder(id) }
                let until = clock.now().adding(milliseconds: patience)
                return try await answer(to: order, until: until, isReplay: true, on: &line)
            }
        }
    }

    /// Drives what is due until the task is canceled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.pacemaker.run() }
            group.addTask { await self.door.watch() }
        }
    }

    /// Takes in hand what is due now, once; for tests with a clock of their own.
    package func beat() async throws { while try await pacemaker.beat() {} }

    /// What a checkout is told.
    package struct Answer: Hashable, Sendable {
        /// The order.
        package let order: OrderID
        /// What to say of it.
        package let body: Body
        /// Whether an earlier request under the key made the order.
        package let isReplay: Bool

        /// What to say of an order.
        package enum Body: Hashable, Sendable {
            /// The final answer, the same bytes for ever.
            case final([UInt8])
            /// Not decided yet.
            case undecided(Order)
        }
    }

    /// How often to look at an order that another instance may drive.
    static let glanceMilliseconds: Int64 = 150
    /// How often to look at an order whose news come by themselves.
    private static let localGlanceMilliseconds: Int64 = 2000

    /// Waits until the order is answerable.
    ///
    /// The wait ends at `end` only if the order is still undecided then; what
    /// is decided answers within its grace.
    private func answer(
        to order: Order,
        until end: Timestamp,
        isReplay: Bool,
        on line: inout Waiters.Line
    ) async throws -> Answer {
        var order = order
        while true {
            if order.isAnswered, let body = try await storedAnswer(to: order.id) {
                return Answer(order: order.id, body: .final(body), isReplay: isReplay)
            }
            try Task.checkCancellation()
            let now = clock.now()
            if now >= end, order.decision.state == .pending, !isDue(order, at: now) {
                return Answer(order: order.id, body: .undecided(order), isReplay: isReplay)
            }
            let pause = isReplay ? Self.glanceMilliseconds : Self.localGlanceMilliseconds
            let times = [now.adding(milliseconds: pause), wakeAt(of: order)].compactMap(\.self)
            switch await line.next(until: (times + (now < end ? [end] : [])).min() ?? end) {
            case .news(let newer, let body?):
                return Answer(order: newer.id, body: .final(body), isReplay: isReplay)
            case .news(let newer, nil):
                if newer.version > order.version { order = newer }
            case .alarm:
                order = try await look(at: order, end: end)
            }
        }
    }

    /// Looks at an order again: lets it look at the clock if its time has come, else reads what others did to it.
    private func look(at order: Order, end: Timestamp) async throws -> Order {
        if isDue(order, at: clock.now()) { return try await desk.tell(.tick, about: order.id) }
        return try await load(order.id) ?? order
    }

    private func wakeAt(of order: Order) -> Timestamp? {
        OrderMachine(order, at: clock.now(), by: "", rules: settings.rules, ids: IdentifierSource()).wakeAt
    }

    private func isDue(_ order: Order, at now: Timestamp) -> Bool { wakeAt(of: order).map { $0 <= now } ?? false }

    func load(_ id: OrderID) async throws -> Order? {
        try await database.read { session in try OrderReader.load(id, in: session) }
    }

    private func storedAnswer(to id: OrderID) async throws -> [UInt8]? {
        try await database.read { session in try WorkQueue.answer(to: id, in: session) }
    }
}
