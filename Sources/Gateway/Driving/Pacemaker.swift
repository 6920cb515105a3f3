import Domain
import Logging
import SQL
import Storage

/// Looks for what is due and takes it in hand: what waits for its next try, and what an instance left behind.
struct Pacemaker: Sendable {
    /// Idempotency keys are kept for 30 days.
    private static let keyLifeMilliseconds: Int64 = 30 * 86_400_000
    /// A payment request is told to have ended for a day before it is forgotten.
    private static let requestLifeMilliseconds: Int64 = 86_400_000
    /// What PSPs told is kept for 90 days once it is settled.
    private static let webhookLifeMilliseconds: Int64 = 90 * 86_400_000
    private static let cleaningPauseMilliseconds: Int64 = 60_000

    let database: any Database
    let desk: OrderDesk
    let webhooks: WebhookFolder
    let clock: any GatewayClock
    let settings: GatewaySettings
    let logger: Logger

    private enum Errand: Sendable {
        case order(OrderID, OrderDesk.Input)
        case webhook(WebhookID)
    }

    /// Beats until the task is canceled.
    func run() async {
        var nextCleaning = clock.now()
        while !Task.isCancelled {
            do {
                let isMore = try await beat()
                if clock.now() >= nextCleaning {
                    try await clean()
                    nextCleaning = clock.now().adding(milliseconds: Self.cleaningPauseMilliseconds)
                }
                if isMore { continue }
            } catch {
                logger.warning("looking for due work failed", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(until: clock.now().adding(milliseconds: settings.pollMilliseconds))
        }
    }

    /// Takes in hand what is due now, and says whether there may be more that can be taken.
    ///
    /// What cannot be carried on stays due; it is tried again at the next beat, not at once.
    func beat() async throws -> Bool {
        let (now, limit) = (clock.now(), settings.batchLimit)
        let due = try await database.read { session in
            (
                operations: try WorkQueue.operations(dueAt: now, limit: limit, in: session),
                orders: try WorkQueue.orders(dueAt: now, limit: limit, in: session),
                webhooks: try WebhookTable.due(at: now, limit: limit, in: session)
            )
        }
        let errands =
            due.orders.map { Errand.order($0, .tick) }
            + due.operations.map { Errand.order($0.order, .claim($0.operation)) }
            + due.webhooks.map(Errand.webhook)
        let isCarriedOn = await withTaskGroup(of: Bool.self) { group in
            for (index, errand) in errands.enumerated() where index < settings.concurrencyLimit {
                group.addTask { await run(errand) }
            }
            var waiting = errands.dropFirst(settings.concurrencyLimit)
            var isCarriedOn = false
            while let isDone = await group.next() {
                isCarriedOn = isCarriedOn || isDone
                if let errand = waiting.popFirst() { group.addTask { await run(errand) } }
            }
            return isCarriedOn
        }
        return isCarriedOn
            && [due.operations.count, due.orders.count, due.webhooks.count].contains { $0 == limit }
    }

    private func run(_ errand: Errand) async -> Bool {
        switch errand {
        case .order(let order, let input): await tell(input, about: order)
        case .webhook(let id): await webhooks.fold(id)
        }
    }

    private func tell(_ input: OrderDesk.Input, about order: OrderID) async -> Bool {
        do {
            _ = try await desk.tell(input, about: order)
            return true
        } catch {
            logger.error("an order could not be carried on", metadata: ["order": "\(order)", "error": "\(error)"])
            return false
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
