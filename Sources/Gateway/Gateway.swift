import AdapterKit
package import Domain
package import Logging
package import SQL
package import Telemetry

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
    package let webhooks: WebhookReceiver

    /// Where requests that move money come in.
    package let door: Door

    /// Where what is done is told of, span by span.
    package let traces: TraceWriter
    /// What this instance counts, and all that its process tells.
    package let metrics: GatewayMetrics
    /// What is stored, as sampled.
    package let figures: DatabaseFigures
    /// Whether this instance can be sent requests.
    package let readiness: Readiness

    /// What devices ask of orders in Wallet, and what marketplaces tell of them.
    package let walletOrders: WalletOrderService

    /// What is asked of orders behind their checkouts.
    let orders: Orders
    /// The one place where an order changes.
    let log: OrderLog
    /// Tells requests that wait of each step.
    let updates: OrderUpdates
    let placer: OrderPlacer
    let runner: OperationRunner
    /// What the others see of this instance.
    let heartbeat: Heartbeat
    /// Whether the PSPs take our credentials.
    var credentials: CredentialWatch { runner.health.credentials }
    private let logger: Logger
    /// Agreements, as who uses the gateway makes and ends them.
    package let agreements: Agreements
    let remover: MethodRemover
    let finder: MethodFinder
    /// Takes announcements of events of merchant tokens.
    package let merchantTokens: MerchantTokenInbox
    private let puller: MerchantTokenPuller
    private let unlinker: MerchantTokenUnlinker
    private let poller: DueWorkPoller
    private let followed: FollowedOrders
    private let retention: Retention
    private let capabilities: [String: Capabilities]

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
        /// What is counted.
        package var metrics: GatewayMetrics
        /// Where what is done is told of, span by span.
        package var traces: TraceWriter
        /// Where identifiers and pauses are drawn from.
        package var random: RandomSource

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
            logger: Logger,
            metrics: GatewayMetrics = GatewayMetrics(),
            traces: TraceWriter = .none,
            random: RandomSource = .system
        ) {
            self.random = random
            self.database = database
            self.metrics = metrics
            self.traces = traces
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
        capabilities = ports.directory.capabilities
        door = Door(settings.admission, clock: ports.clock)
        let lines = CallLines(places: settings.callsPerAccount, door: door)
        heartbeat = Heartbeat(ports, instance: instance)
        let runner = OperationRunner(ports, settings, credentials: credentials, lines: lines, heartbeat: heartbeat)
        let updates = OrderUpdates(ports, settings, instance: instance)
        let failures = FailureRecorder(ports, settings)
        let followed = FollowedOrders(ports, instance: instance)
        let log = OrderLog(
            database: ports.database,
            clock: ports.clock,
            rules: settings.rules,
            instance: instance,
            presentation: ports.presentation,
            failures: failures,
            traces: ports.traces,
            random: ports.random,
            vault: ports.vault
        ) { [metrics = ports.metrics.orders, steps = StepLogger(logger: ports.logger)] step, log in
            metrics.count(step)
            steps.log(step)
            runner.start(step.perform, of: step.order, log: log)
            updates.publish(step)
            if !step.announcements.isEmpty { ports.onAnnouncement() }
            if step.order.walletOrder != nil { followed.pusher.wake() }
        }
        database = ports.database
        clock = ports.clock
        metrics = ports.metrics
        traces = ports.traces
        logger = ports.logger
        figures = DatabaseFigures(logger: ports.logger)
        directory = ports.directory
        wallets = ports.wallets
        (self.settings, self.runner, self.updates) = (settings, runner, updates)
        orders = Orders(
            database: ports.database,
            clock: ports.clock,
            log: log,
            updates: updates,
            capabilities: ports.directory.capabilities,
            performs: true,
            traces: ports.traces
        )
        self.log = log
        (self.followed, walletOrders) = (followed, followed.service(log))
        placer = OrderPlacer(ports, settings, credentials, lines, log, followed.planner)
        agreements = Agreements(ports)
        remover = MethodRemover(ports, settings, instance: instance)
        finder = MethodFinder(ports, runner)
        merchantTokens = MerchantTokenInbox(ports)
        puller = MerchantTokenPuller(ports, instance: instance)
        unlinker = MerchantTokenUnlinker(ports, instance: instance)
        let processor = WebhookProcessor(ports, rules: settings.rules, log: log)
        webhooks = WebhookReceiver(ports, processor: processor)
        let helpers = DueWorkPoller.Helpers(failures: failures, webhooks: processor, credentials: credentials)
        poller = DueWorkPoller(ports, settings, log: log, helpers, instance: instance)
        retention = Retention(ports, settings, instance: instance)
        readiness = Readiness([.database(database), .schema(database), .disk(metrics.disk)])
        metrics.registry.add([
            figures, AccountFigures(health: runner.health, clock: clock), DoorFigures(door: door),
            HeartbeatFigures(heartbeat: heartbeat),
        ])
    }

    /// Drives what is due, and forgets what is kept no longer, until the task is canceled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.poller.run() }
            group.addTask { await self.retention.run() }
            group.addTask { await self.followed.run(self.walletOrders) }
            group.addTask { await self.remover.run() }
            group.addTask { await self.finder.run() }
            group.addTask { await self.puller.run() }
            group.addTask { await self.unlinker.run() }
            group.addTask { await self.door.watch() }
            group.addTask { await self.credentials.run(self.database, self.clock, self.logger) }
        }
    }

    /// Tells the other instances that this one lives, and takes the work of those that died, until the task is canceled.
    package func beat() async { await heartbeat.run() }

    /// Ends this instance in good order: it sends nothing more, and what it has in hand is due at once, for whoever lives.
    ///
    /// What a PSP may have got and would not answer alike twice waits for its lease (``ResumePolicy/mayTakeEarly(_:_:)``).
    /// Its heart beats until then, so that nobody takes it for dead meanwhile.
    ///
    /// To be called when nothing is polled and served any more.
    ///
    /// - Parameter milliseconds: how long calls under way have to be answered.
    /// - Returns: of how many orders something was in hand, and was left.
    /// - Throws: `SQLError`; then others take what is left once the heartbeat is old, or leases run out.
    package func leave(withinMilliseconds milliseconds: Int64) async throws -> Int {
        heartbeat.end()
        let end = clock.now().adding(milliseconds: milliseconds)
        while !log.inHand.isEmpty, clock.now() < end {
            await heartbeat.beatIfDue()
            guard (try? await clock.sleep(until: clock.now().adding(milliseconds: 20))) != nil else { break }
        }
        let left = log.inHand
        for order in left {
            await heartbeat.beatIfDue()
            let ends = ResumePolicy.handover(order, of: log.instance) { capabilities[$0.route.psp] }
            if !ends.isEmpty { _ = try await log.submit(ends, to: order.id) }
        }
        try await credentials.record(in: database)
        try await heartbeat.forget()
        return left.count
    }

    /// The orders of which this instance has any operation in hand, as its next steps go on from them.
    package var inHand: [Order] { log.inHand }

    /// Samples what is stored for metrics, at once and at an interval from then on, until the task is canceled.
    package func sample() async {
        while !Task.isCancelled {
            await figures.take(from: database, at: clock.now())
            try? await clock.sleep(until: clock.now().adding(milliseconds: settings.sampleMilliseconds))
        }
    }

    /// Ends the leases that instances left behind, before anything is served.
    ///
    /// Only for the one owner of an embedded database, whose lock says that nobody else has anything in hand. From there on
    /// everything goes the usual way: what was ever in hand counts as perhaps sent.
    ///
    /// - Returns: how many orders somebody had in hand.
    /// - Throws: `SQLError`.
    package func releaseLeases() async throws -> Int { try await poller.releaseLeases() }

    /// Takes in hand what is due now, once; for tests with a clock of their own.
    package func poll() async throws { while try await poller.poll() {} }

    /// Fetches the events of merchant tokens that are due now, once; for tests with a clock of their own.
    package func pullMerchantTokens() async -> Int { await puller.pull() }

    /// Has Apple unlink the merchant tokens that are due now, once; for tests with a clock of their own.
    package func unlinkMerchantTokens() async -> Int { await unlinker.unlink() }
}

extension FailureRecorder {
    fileprivate init(_ ports: Gateway.Ports, _ settings: GatewaySettings) {
        self.init(database: ports.database, clock: ports.clock, rules: settings.rules, logger: ports.logger)
    }
}

extension OrderPlacer {
    fileprivate init(
        _ ports: Gateway.Ports,
        _ settings: GatewaySettings,
        _ credentials: CredentialKeys,
        _ lines: CallLines,
        _ log: OrderLog,
        _ planner: WalletOrderPlanner
    ) {
        self.init(
            database: ports.database,
            directory: ports.directory,
            wallets: Wallets(database: ports.database, clock: ports.clock, ports: ports.wallets),
            credentials: credentials,
            clock: ports.clock,
            log: log,
            settings: settings,
            lines: lines,
            traces: ports.traces,
            random: ports.random,
            agreements: AgreementWriter(presentation: ports.presentation, random: ports.random),
            vault: ports.vault,
            walletOrders: planner
        )
    }
}

extension OrderUpdates {
    fileprivate convenience init(_ ports: Gateway.Ports, _ settings: GatewaySettings, instance: String) {
        self.init(
            database: ports.database,
            presentation: ports.presentation,
            clock: ports.clock,
            instance: instance,
            netMilliseconds: settings.waitNetMilliseconds,
            random: ports.random
        )
    }
}

extension Retention {
    fileprivate convenience init(_ ports: Gateway.Ports, _ settings: GatewaySettings, instance: String) {
        self.init(
            database: ports.database,
            clock: ports.clock,
            instance: instance,
            periods: settings.retention,
            logger: ports.logger
        )
    }
}

extension OperationRunner {
    fileprivate init(
        _ ports: Gateway.Ports,
        _ settings: GatewaySettings,
        credentials: CredentialKeys,
        lines: CallLines,
        heartbeat: Heartbeat
    ) {
        self.init(
            directory: ports.directory,
            database: ports.database,
            sender: ports.sender,
            credentials: credentials,
            clock: ports.clock,
            settings: settings,
            health: AccountHealth(.init(breaker: .init(failures: settings.breakerFailures))),
            lines: lines,
            logger: ports.logger,
            metrics: ports.metrics,
            heartbeat: heartbeat,
            traces: ports.traces,
            random: ports.random
        )
    }
}

extension DueWorkPoller {
    /// What the poller hands its work to.
    fileprivate struct Helpers {
        let failures: FailureRecorder
        let webhooks: WebhookProcessor
        let credentials: CredentialKeys
    }

    fileprivate init(
        _ ports: Gateway.Ports,
        _ settings: GatewaySettings,
        log: OrderLog,
        _ helpers: Helpers,
        instance: String
    ) {
        self.init(
            database: ports.database,
            log: log,
            failures: helpers.failures,
            directory: ports.directory,
            webhooks: helpers.webhooks,
            credentials: helpers.credentials,
            clock: ports.clock,
            settings: settings,
            instance: instance,
            logger: ports.logger
        )
    }
}
