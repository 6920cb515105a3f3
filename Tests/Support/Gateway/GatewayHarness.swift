package import AdapterKit
package import Domain
package import Gateway
package import Keyring
package import Logging
package import SQL
import SimulatorAdapter
import Storage
package import Telemetry
import Wiring

/// A marketplace on a fresh database, a PSP in the test's own hands, and any number of gateway instances over them.
package struct GatewayHarness: Sendable {
    /// The database, as nobody's instance sees it.
    package let database: any Database
    /// What time it is for every instance.
    package let clock: ManualClock
    /// The PSP behind every account.
    package let psp: ScriptedSender
    /// Seals credentials.
    package let keyring: Keyring
    /// Times and limits of every instance.
    package let settings: GatewaySettings
    /// Given whenever an instance wrote, or died.
    package let signal = CommitSignal()

    private let adapter: PSPDirectory.PSP
    private let registry = InstanceRegistry()

    /// Times that suit a test: doubts are looked into after milliseconds, leases and deadlines are left to jumps of
    /// the clock.
    package static let settings = GatewaySettings(
        rules: OrderTimings(leaseMilliseconds: 60_000, unknownScheduleMilliseconds: [2, 4, 8, 16]),
        pspTimeoutMilliseconds: 10_000,
        pollMilliseconds: 2,
        waitNetMilliseconds: 150
    )

    /// A harness over a database that has ``TestMarketplace/travel``.
    ///
    /// - Parameters:
    ///   - database: the database.
    ///   - clock: what time it is.
    ///   - settings: times and limits.
    ///   - adapter: what speaks to the PSP.
    ///   - keys: what the PSP keeps under the key of a request.
    ///   - visibilityMilliseconds: how long what the PSP does is hidden from inquiries.
    ///   - keyring: seals credentials; nil for a ring of its own.
    /// - Throws: `KeyringError`.
    package init(
        _ database: any Database,
        clock: ManualClock = ManualClock(.flows),
        settings: GatewaySettings = Self.settings,
        adapter: any PaymentAdapter.Type = SimulatorAdapter.self,
        keys: ScriptedKeys = .outcomes,
        visibilityMilliseconds: Int64 = 0,
        keyring: Keyring? = nil
    ) throws {
        self.database = database
        self.clock = clock
        self.settings = settings
        self.adapter = PSPDirectory.PSP(adapter)
        psp = ScriptedSender(clock: clock, keys: keys, visibilityMilliseconds: visibilityMilliseconds)
        self.keyring = try keyring ?? Keyring.fresh()
    }

    /// Lends a harness on a fresh database.
    package static func with(
        _ engine: DatabaseEngine,
        clock: ManualClock = ManualClock(.flows),
        settings: GatewaySettings = Self.settings,
        adapter: any PaymentAdapter.Type = SimulatorAdapter.self,
        keys: ScriptedKeys = .outcomes,
        visibilityMilliseconds: Int64 = 0,
        _ body: (GatewayHarness) async throws -> Void
    ) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let harness = try GatewayHarness(
                database,
                clock: clock,
                settings: settings,
                adapter: adapter,
                keys: keys,
                visibilityMilliseconds: visibilityMilliseconds
            )
            let result: Result<Void, any Error>
            do { result = .success(try await body(harness)) } catch { result = .failure(error) }
            await harness.end()
            try result.get()
        }
    }

    /// A gateway instance that lives as long as `death` says, with the harness's ring or one of its own.
    package func instance(
        _ name: String,
        endingAt death: InstanceLife.Death? = nil,
        keyring: Keyring? = nil,
        logger: Logger = Logger(label: "gateway") { _ in SwiftLogNoOpLogHandler() },
        traces: TraceWriter = .none,
        wallets: (InstanceLife) -> WalletPorts = { _ in .none }
    ) -> GatewayInstance {
        let instance = GatewayInstance(name, endingAt: death, over: database, signal: signal) { database, life in
            Gateway.Ports(
                database: database,
                clock: clock,
                sender: InstanceSender(psp, life: life),
                vault: Vault(keyring ?? self.keyring),
                directory: PSPDirectory(psps: ["simulator": adapter], database: database) { _ in Secret("key_test") },
                wallets: wallets(life),
                presentation: .plain,
                logger: logger,
                traces: traces
            )
        } settings: {
            settings
        }
        registry.add(instance)
        return instance
    }

    /// Ends every instance, so that the database can be closed.
    package func end() async {
        clock.stop()
        await psp.releaseAll()
        await registry.endAll()
    }

    /// The order as stored.
    ///
    /// - Throws: `SQLError`, or ``HarnessFailure`` if there is no such order.
    package func order(_ id: OrderID) async throws -> Order {
        let order = try await database.read { session in try OrderReader.load(id, in: session) }
        guard let order else { throw HarnessFailure.noOrder(id) }
        return order
    }

    /// The order once it is as `condition` wants it; something else has to drive it there.
    ///
    /// - Throws: ``HarnessFailure/neverCame(_:)`` if it does not become so in time.
    package func order(_ id: OrderID, once condition: (Order) -> Bool) async throws -> Order {
        let end = ContinuousClock.now + .patience
        while true {
            let seen = signal.count
            let order = try await order(id)
            if condition(order) { return order }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame(HarnessFailure.text(order)) }
            await signal.wait(beyond: seen)
        }
    }

    /// The order once nothing is under way any more.
    ///
    /// - Throws: ``HarnessFailure/neverCame(_:)``.
    package func orderAtRest(_ id: OrderID) async throws -> Order { try await order(id, once: \.isAtRest) }

    /// The order that a key has made, once it is placed.
    ///
    /// - Throws: ``HarnessFailure/neverPlaced(_:)`` if it is not placed in time.
    package func order(placedUnder key: String) async throws -> OrderID {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            let seen = signal.count
            if let id = try await orderIfPlaced(under: key) { return id }
            await signal.wait(beyond: seen)
        }
        throw HarnessFailure.neverPlaced(key)
    }

    /// The order that a key has made, if it has made one.
    ///
    /// - Throws: `SQLError`.
    package func orderIfPlaced(under key: String) async throws -> OrderID? {
        try await database.read { session in
            try IdempotencyTable.read(session.rows(IdempotencyTable.find(TestCheckout.use(key))))
        }?.order
    }

    /// Waits until an instance is dead, or has brought the order of a key to rest; not longer than a test's patience.
    ///
    /// - Throws: `SQLError`.
    package func waitForEnd(of instance: GatewayInstance, key: String) async throws {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end, !instance.life.isDead {
            let seen = signal.count
            if let id = try await orderIfPlaced(under: key), try await order(id).isAtRest { return }
            await signal.wait(beyond: seen)
        }
    }

    /// Places a checkout on an instance of its own, drives the order until it is at rest, and answers both.
    ///
    /// - Throws: what placing throws, or ``HarnessFailure/neverCame(_:)``.
    package func run(
        _ checkout: TestCheckout,
        key: String = "key",
        on name: String = "one"
    ) async throws -> (answer: Gateway.Answer, order: Order) {
        let instance = instance(name)
        return try await instance.driving {
            let answer = try await instance.place(checkout, key: key)
            return (answer, try await orderAtRest(answer.order))
        }
    }

    /// What is wrong with what is stored and with what is told of it, and with the PSP's books compared with it.
    ///
    /// - Throws: `SQLError`.
    package func complaints() async throws -> [String] {
        let stored = try await LedgerCheck.complaints(about: database, rules: settings.rules)
        let orders = try await LedgerCheck.orders(in: database)
        let books = await psp.authorizations.map { BookedAuthorization($0) }
        let told = try await CallbackCheck.complaints(about: database)
        return stored + told + BooksCheck.complaints(comparing: orders, with: books)
    }
}

extension Order {
    /// Whether it is decided and nothing of it is under way.
    package var isAtRest: Bool {
        decision.state != .pending && decision.state != .cleared && !payments.contains(where: \.isUnresolved)
    }
}
