import Domain
import SQL
import Storage

/// Makes all requests under one idempotency key one: the first has its effect, each later one gets what came of it.
///
/// Around the step of a placement and of every later request alike. The key is taken in the step's own transaction, so
/// that a request that fails leaves it free.
struct Idempotency: Sendable {
    /// The key; nil for a request that needs none.
    let use: IdempotencyTable.Use?

    /// What an earlier request under the key came to; nil if this is the first.
    ///
    /// - Throws: ``PlacementRefusal/keyReused(_:)`` if it had another body, or `SQLError`.
    func earlierRequest(in session: any Session) throws -> IdempotencyTable.KnownRequest? {
        guard let use, let known = try IdempotencyTable.request(use, in: session) else { return nil }
        if PlantedBug.requestRepeated.isPlanted { return nil }
        try requireSame(known.bodyHash, of: known.order)
        return known
    }

    /// What an earlier placement under the key came to, as read with ``IdempotencyTable/find(_:)``.
    ///
    /// - Throws: ``PlacementRefusal/keyReused(_:)`` if it had another body.
    func earlierPlacement(_ known: IdempotencyTable.Known?) throws -> IdempotencyTable.Known? {
        guard let known else { return nil }
        try requireSame(known.bodyHash, of: known.order)
        return known
    }

    /// Takes the key for an order, and a step of it within the caller's transaction.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - now: the moment of the step.
    ///   - session: the transaction.
    ///   - body: applies the request, or writes down the placement, and answers the step.
    /// - Returns: the step.
    /// - Throws: what `body` throws, or `SQLError.uniqueViolation`, with the next read or the commit, if another request
    /// was first; then nothing may be stored.
    func once(
        for order: OrderID,
        at now: Timestamp,
        in session: any Session,
        _ body: () throws -> OrderStep
    ) throws -> OrderStep {
        if let use, !PlantedBug.requestRepeated.isPlanted {
            try IdempotencyTable.insert(use, order: order, at: now, in: session)
        }
        let step = try body()
        if let use, let refund = step.refund { try IdempotencyTable.name(refund, for: use, in: session) }
        return step
    }

    private func requireSame(_ bodyHash: String, of order: OrderID) throws(PlacementRefusal) {
        if let use, use.bodyHash != bodyHash, !PlantedBug.keyForAnyBody.isPlanted { throw .keyReused(order) }
    }
}
