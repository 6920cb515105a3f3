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
    private static let cleaningPauseMilliseconds: Int64 = 60_000

    let database: any Database
    let desk: OrderDesk
    let clock: any GatewayClock
    let settings: GatewaySettings
    let logger: Logger

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
                orders: try WorkQueue.orders(dueAt: now, limit: limit, in: session)
            )
        }
        let errands =
            due.orders.map { ($0, OrderDesk.Input.tick) }
            + due.operations.map { ($0.order, OrderDesk.Input.claim($0.operation)) }
        let isCarriedOn = await withTaskGroup(of: Bool.self) { group in
            for (index, errand) in errands.enumerated() where index < settings.concurrencyLimit {
                group.addTask { await tell(errand.1, about: errand.0) }
            }
            var waiting = errands.dropFirst(settings.concurrencyLimit)
            var isCarriedOn = false
            while let isDone = await group.next() {
                isCarriedOn = isCarriedOn || isDone
                if let errand = waiting.popFirst() { group.addTask { await tell(errand.1, about: errand.0) } }
            }
            return isCarriedOn
        }
        return isCarriedOn && (due.operations.count == limit || due.orders.count == limit)
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
        }
    }
}
