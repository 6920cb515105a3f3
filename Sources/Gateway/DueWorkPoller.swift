import Domain
import Logging
import SQL
import Storage

/// Polls for what is due and takes it in hand: what waits for its next try, and what an instance left behind.
struct DueWorkPoller: Sendable {
    /// Idempotency keys are kept for 30 days.
    private static let keyLifeMilliseconds: Int64 = 30 * 86_400_000
    /// A payment request is told to have ended for a day before it is forgotten.
    private static let requestLifeMilliseconds: Int64 = 86_400_000
    /// What PSPs told is kept for 90 days once it is settled.
    private static let webhookLifeMilliseconds: Int64 = 90 * 86_400_000
    private static let cleaningPauseMilliseconds: Int64 = 60_000

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
    let logger: Logger

    /// What is due of one order, or a webhook.
    private enum DueItem: Sendable {
        case order(OrderID, [OrderInput])
        case webhook(WebhookID)
    }

    private enum Result: Sendable {
        case done
        case failed
        /// The database is away, for the reason that is given.
        case away(String)
    }

    /// Polls, and cleans beside it, until the task is canceled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await pollAlways() }
            group.addTask { await cleanAlways() }
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
        let items = await self.items(of: batch)
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
    private func items(of batch: WorkQueue.Batch) async -> [DueItem] {
        var inputs: [OrderID: [OrderInput]] = [:]
        var orders: [OrderID] = []
        func add(_ input: OrderInput, to order: OrderID) {
            if inputs[order] == nil { orders.append(order) }
            inputs[order, default: []].append(input)
        }
        for order in batch.orders { add(.tick, to: order) }
        let obstacles = await obstacles(for: batch.operations)
        var stopped: [OrderID: [WorkQueue.DueOperation]] = [:]
        for due in batch.operations {
            // An authorization that cannot be sent is refused, or goes another way: its order knows what to do.
            if due.kind != .authorize, obstacles[due.account] != nil {
                stopped[due.order, default: []].append(due)
            } else {
                add(.claim(due.operation), to: due.order)
            }
        }
        for (order, operations) in stopped {
            for (account, some) in Dictionary(grouping: operations, by: \.account) {
                guard let failure = obstacles[account] else { continue }
                await failures.record(failure, of: some.map(\.operation), in: order)
            }
        }
        return orders.map { DueItem.order($0, inputs[$0] ?? []) } + batch.webhooks.map(DueItem.webhook)
    }

    /// The PSP accounts that no adapter can be made for, and why.
    private func obstacles(for operations: [WorkQueue.DueOperation]) async -> [String: StepFailure] {
        var obstacles: [String: StepFailure] = [:]
        for (account, some) in Dictionary(grouping: operations.filter { !$0.pspAccount.isEmpty }, by: \.account) {
            do {
                _ = try await directory.adapter(for: some[0].pspAccount, of: some[0].marketplace)
            } catch let error as PSPDirectoryError {
                obstacles[account] = FailureRecorder.failure(error)
            } catch is SQLError {
                continue
            } catch {
                let detail = "The settings of the PSP account \(some[0].pspAccount) do not work (\(type(of: error)))."
                obstacles[account] = StepFailure(.accountUnusable, detail)
            }
        }
        return obstacles
    }

    private func run(_ item: DueItem) async -> Result {
        switch item {
        case .order(let order, let inputs): await submit(inputs, to: order)
        case .webhook(let id): await webhooks.process(id) ? .done : .failed
        }
    }

    private func submit(_ inputs: [OrderInput], to order: OrderID) async -> Result {
        do {
            let now = clock.now()
            let after = try await log.submit(inputs, to: order).order
            let claimed = inputs.compactMap { if case .claim(let operation) = $0 { operation } else { nil } }
            let left = claimed.filter { id in
                guard let operation = after.find(id)?.operation else { return true }
                return !operation.isOpen && operation.dueAt.map { $0 <= now } ?? false
            }
            guard !left.isEmpty else { return .done }
            let detail = "The operation is due, but the order has nothing to do for it."
            await failures.record(StepFailure(.notTaken, detail), of: left, in: order)
            return .failed
        } catch {
            return FailureRecorder.isElsewhere(error) ? .away("\(error)") : .failed
        }
    }

    /// Ends the leases that instances left behind, for the one owner of an embedded database, who knows that nobody has
    /// anything in hand; claims of callbacks' endpoints too.
    ///
    /// - Returns: how many operations somebody had in hand.
    /// - Throws: `SQLError`.
    func releaseLeases() async throws -> Int {
        let now = clock.now()
        return try await database.write { session in
            try CallbackQueue.releaseAll(in: session)
            return try WorkQueue.releaseAll(at: now, in: session)
        }
    }

    /// Nothing that is due waits for what is cleaned.
    private func cleanAlways() async {
        while !Task.isCancelled {
            for clean in [clean, credentials.sweep] {
                do { try await clean() } catch {
                    logger.info("cleaning is tried again in a minute", metadata: ["error": "\(error)"])
                }
            }
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.cleaningPauseMilliseconds))
        }
    }

    private func clean() async throws {
        let now = clock.now()
        try await database.write { session in
            try CredentialTable.eraseExpired(at: now, in: session)
            try IdempotencyTable.forget(before: now.adding(milliseconds: -Self.keyLifeMilliseconds), in: session)
            try PaymentRequestTable.forget(before: now.adding(milliseconds: -Self.requestLifeMilliseconds), in: session)
            try WebhookTable.forget(before: now.adding(milliseconds: -Self.webhookLifeMilliseconds), in: session)
        }
    }
}

extension WorkQueue.DueOperation {
    /// The PSP account's name over all marketplaces.
    fileprivate var account: String { "\(marketplace)/\(pspAccount)" }
}
