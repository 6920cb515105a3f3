import Domain
import Logging
import SQL
import Storage
import Synchronization
import Telemetry

/// Polls for what is due and takes it in hand: what waits for its next try, and what an instance left behind.
struct DueWorkPoller: Sendable {
    private static let sweepingPauseMilliseconds: Int64 = 60_000

    /// One order fills no more of a batch than this part of it; what else it has due waits behind what others have.
    private static let ordersPart = 16
    /// What an instance picked is offered to others after this time, if it did nothing with it.
    static let reservationMilliseconds: Int64 = 10_000
    /// While the database is away it is looked for no more seldom than this.
    private static let longestPauseMilliseconds: Int64 = 5000

    let database: any Database
    let log: OrderLog
    let failures: FailureRecorder
    let directory: PSPDirectory
    let webhooks: WebhookProcessor
    let credentials: CredentialKeys
    let clock: any GatewayClock
    let settings: GatewaySettings
    let instance: String
    let logger: Logger
    /// Whether this instance alone has the database, so that what others have in hand is in nobody's.
    private let isAlone = Flag()

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// What is due of one order, or a webhook.
    private enum DueItem: Sendable {
        case order(OrderID, [OrderInput], left: [OperationID: String])
        case webhook(WebhookID)
    }

    private enum Result: Sendable {
        case done
        case failed
        /// The database is away, for the reason that is given.
        case away(String)
    }

    /// Polls, and sweeps credential keys beside it, until the task is canceled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await pollAlways() }
            group.addTask { await sweepAlways() }
        }
    }

    private func pollAlways() async {
        var pause = settings.pollMilliseconds
        while !Task.isCancelled {
            do {
                let isMore = try await poll()
                pause = settings.pollMilliseconds
                if isMore { continue }
            } catch {
                logger.warning("looking for due work failed", metadata: ["error": "\(error)"])
                pause = max(pause, min(2 * pause, Self.longestPauseMilliseconds))
            }
            try? await clock.sleep(until: clock.now().adding(milliseconds: pause))
        }
    }

    /// Takes in hand what is due now, and says whether there may be more that can be taken.
    ///
    /// What fails is held back on its own row; what the database kept from being carried on is offered again.
    func poll() async throws -> Bool {
        let (now, limit) = (clock.now(), settings.batchLimit)
        let shares = try await database.read { session in try WorkQueue.shares(at: now, limit: limit, in: session) }
        guard !shares.isEmpty else { return false }
        let until = now.adding(milliseconds: Self.reservationMilliseconds)
        let batch = try await database.write { session in
            try WorkQueue.reserve(shares, dueAt: now, until: until, limit: limit, in: session)
        }
        let items = try await self.items(of: batch, at: now)
        let results = await withTaskGroup(of: Result.self) { group in
            for item in items.prefix(settings.concurrencyLimit) { group.addTask { await run(item) } }
            var waiting = items.dropFirst(settings.concurrencyLimit)
            var results: [Result] = []
            while let result = await group.next() {
                results.append(result)
                if let item = waiting.popFirst() { group.addTask { await run(item) } }
            }
            return results
        }
        let reasons = results.compactMap { if case .away(let reason) = $0 { reason } else { nil } }
        if let reason = reasons.first {
            logger.warning(
                "the database was away when due work was carried on",
                metadata: ["errands": "\(reasons.count)", "error": "\(reason)"]
            )
        }
        return batch.isFull && reasons.count < max(1, results.count)
    }

    /// What is to be told to each order once, and the webhooks; without operations whose PSP account cannot be used.
    ///
    /// An order that cannot be read is told all the same, so that its failure is recorded.
    private func items(of batch: WorkQueue.Batch, at now: Timestamp) async throws -> [DueItem] {
        let ids = batch.orders.map(\.id)
        let (found, failing, dead) = try await database.read { session in
            var found = try OrderReader.loadReadable(ids, in: session)
            // A clock may have been moved since an order's latest step; its next one will follow.
            let tests = Set(found.orders.filter { !$0.clock.isLive }.map(\.marketplace))
            let clocks = try TestClockTable.clocks(of: tests, in: session)
            found.orders = found.orders.map { order in clocks[order.marketplace].map(order.moved) ?? order }
            return (found, try OperationFailures.all(of: ids, in: session), try InstanceTable.dead(in: session))
        }
        let held = failing.compactMapValues(\.heldUntil).filter { $0.value > now }
        let orders = Dictionary(uniqueKeysWithValues: found.orders.map { ($0.id, $0) })
        let view = DueView(now: now, held: held, dead: dead.subtracting([instance]))
        let obstacles = await obstacles(to: found.orders, view)
        var items = batch.webhooks.map(DueItem.webhook)
        var early: [(order: Order, picked: Timestamp)] = []
        for picked in batch.orders {
            guard let order = orders[picked.id] else {
                items.append(.order(picked.id, [.tick], left: [:]))
                continue
            }
            let all = due(in: order, view)
            // An authorization that cannot be sent is refused, or goes another way: its order knows what to do.
            let stopped = all.filter { $0.operation.kind != .authorize && obstacles[$0.accountName(in: order)] != nil }
            for (account, some) in Dictionary(grouping: stopped, by: { $0.accountName(in: order) }) {
                guard let failure = obstacles[account] else { continue }
                await failures.record(failure, of: some.map(\.operation.id), in: order.id)
            }
            let taken = all.map(\.operation).filter { due in !stopped.contains { $0.operation.id == due.id } }
            let inputs = inputs(for: taken.prefix(max(1, settings.batchLimit / Self.ordersPart)), of: order, view)
            if !inputs.isEmpty {
                items.append(.order(order.id, inputs, left: left(taken)))
            } else if stopped.isEmpty {
                early.append((order, picked.at))
            }
        }
        try await correct(early, failing.compactMapValues(\.heldUntil), at: now)
        return items
    }

    /// What says whether an operation is due.
    private struct DueView {
        let now: Timestamp
        /// Operations that failed, and until when each is left alone.
        let held: [OperationID: Timestamp]
        /// The instances that were taken for dead.
        let dead: Set<String>
    }

    /// The operations of an order that are due, or in nobody's hand any more.
    private func due(in order: Order, _ view: DueView) -> [Order.Found] {
        order.payments.flatMap { payment in
            payment.attempts.flatMap { attempt in
                attempt.operations.filter { operation in
                    guard let due = operation.dueAt, view.held[operation.id] == nil else { return false }
                    if PlantedBug.compensationForgotten.isPlanted, operation.kind == .void { return false }
                    guard due > order.time(at: view.now) else { return true }
                    let isLeft = isOrphan(operation) || operation.leasedBy.map(view.dead.contains) ?? false
                    return isLeft
                        && ResumePolicy.mayTakeEarly(operation, directory.psps[attempt.route.psp]?.capabilities)
                }
                .map { Order.Found(payment: payment, attempt: attempt, operation: $0) }
            }
        }
    }

    private func isOrphan(_ operation: Operation) -> Bool {
        isAlone.value.load(ordering: .relaxed) && operation.leasedBy.map { $0 != instance } ?? false
    }

    /// What an order is told: that leases are over, what is claimed, and to look at the clock if it wants to.
    private func inputs(for due: ArraySlice<Operation>, of order: Order, _ view: DueView) -> [OrderInput] {
        let now = order.time(at: view.now)
        let leased = due.filter { $0.dueAt.map { $0 > now } ?? false }
        let isAwake = OrderMachine.dueAt(of: order, at: now, settings.rules).map { $0 <= now } ?? false
        return (isAwake ? [.tick] : []) + leased.map(OrderInput.init(ending:)) + due.map { .claim($0.id) }
    }

    /// Puts right when orders want to be looked at that were looked at too early.
    ///
    /// One that a step has in hand, or changed since it was read, is left alone: what is stored may be what that step relies
    /// on. It is offered again when the reservation ends.
    private func correct(
        _ early: [(order: Order, picked: Timestamp)],
        _ held: [OperationID: Timestamp],
        at now: Timestamp
    ) async throws {
        guard !early.isEmpty else { return }
        let rules = settings.rules
        let versions = Dictionary(uniqueKeysWithValues: early.map { ($0.order.id, $0.order.version) })
        try await database.write { session in
            let unchanged = try OrderReader.lock(unchanged: versions, in: session)
            for (order, picked) in early where unchanged.contains(order.id) {
                let wakeAt = OrderMachine.wakeAt(of: order, at: order.time(at: now), rules)
                let schedule = OrderSchedule(of: order, wakeAt: wakeAt, held: held)
                try WorkTable.correct(schedule, of: order, over: picked, in: session)
            }
        }
    }

    /// The PSP accounts that no adapter can be made for, and why.
    private func obstacles(
        to orders: [Order],
        _ view: DueView
    ) async -> [String: StepFailure] {
        var accounts: [String: (name: String, marketplace: String)] = [:]
        for order in orders {
            for due in due(in: order, view) {
                accounts[due.accountName(in: order)] = (due.attempt.route.pspAccount, order.marketplace)
            }
        }
        var obstacles: [String: StepFailure] = [:]
        for (account, (name, marketplace)) in accounts {
            do {
                _ = try await directory.adapter(for: name, of: marketplace)
            } catch let error as PSPDirectoryError {
                obstacles[account] = FailureRecorder.failure(error)
            } catch is SQLError {
                continue
            } catch {
                let detail = "The settings of the PSP account \(name) do not work (\(type(of: error)))."
                obstacles[account] = StepFailure(.accountUnusable, detail)
            }
        }
        return obstacles
    }

    private func run(_ item: DueItem) async -> Result {
        switch item {
        case .order(let order, let inputs, let left): await submit(inputs, to: order, left: left)
        case .webhook(let id): await webhooks.process(id) ? .done : .failed
        }
    }

    /// The operations that other instances had in hand, and which.
    private func left(_ operations: [Operation]) -> [OperationID: String] {
        let left = operations.compactMap { operation in
            operation.leasedBy.flatMap { $0 == instance ? nil : (operation.id, $0) }
        }
        return Dictionary(uniqueKeysWithValues: left)
    }

    private func submit(_ inputs: [OrderInput], to order: OrderID, left: [OperationID: String]) async -> Result {
        do {
            let now = clock.now()
            let after = try await log.submit(inputs, to: order).order
            for (operation, holder) in left where after.find(operation)?.operation.leasedBy == instance {
                var metadata: Logger.Metadata = [
                    "order": "\(order)", "operation": "\(operation)", "left_by": "\(holder)",
                ]
                metadata.addOrigin(after.traceParent.flatMap(TraceContext.init))
                logger.notice("what another instance left is taken over", metadata: metadata)
            }
            let moment = after.time(at: now)
            let claimed = inputs.compactMap { if case .claim(let operation) = $0 { operation } else { nil } }
            let undone = claimed.filter { id in
                guard let operation = after.find(id)?.operation else { return true }
                return !operation.isOpen && operation.dueAt.map { $0 <= moment } ?? false
            }
            guard !undone.isEmpty else { return .done }
            let detail = "The operation is due, but the order has nothing to do for it."
            await failures.record(StepFailure(.notTaken, detail), of: undone, in: order)
            return .failed
        } catch {
            return FailureRecorder.isElsewhere(error) ? .away("\(error)") : .failed
        }
    }

    /// Ends the leases that instances left behind, for the one owner of an embedded database, who knows that nobody has
    /// anything in hand; claims of callbacks' endpoints, of devices in Wallet and of methods to be removed too.
    ///
    /// - Returns: how many orders somebody had in hand.
    /// - Throws: `SQLError`.
    func releaseLeases() async throws -> Int {
        let now = clock.now()
        isAlone.value.store(true, ordering: .relaxed)
        return try await database.write { session in
            try CallbackQueue.releaseAll(in: session)
            try WalletPushQueue.releaseAll(in: session)
            try AgreementMethodTable.releaseAll(in: session)
            try InstanceTable.removeAll(in: session)
            return try WorkTable.releaseAll(at: now, in: session)
        }
    }

    /// Destroys credential keys whose time is over, and wakes orders for whoever moved a test marketplace's clock and ended;
    /// nothing that is due waits for it.
    private func sweepAlways() async {
        while !Task.isCancelled {
            do { try await credentials.sweep() } catch {
                logger.info("credential keys are swept again in a minute", metadata: ["error": "\(error)"])
            }
            do { try await TestClocks(database: database, clock: clock).finish() } catch {
                logger.info("orders are woken by a test clock in a minute", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.sweepingPauseMilliseconds))
        }
    }
}
