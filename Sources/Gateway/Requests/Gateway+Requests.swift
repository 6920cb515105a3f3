package import Domain
import SQL
package import Storage

extension Gateway {
    /// What became of a request about an order.
    package struct Asked: Sendable {
        /// The order as it is now.
        package let order: Order
        /// The refund that was asked for.
        package let refund: Refund?
        /// The stored answer, if an earlier request under the key has one.
        package let answer: [UInt8]?
        /// Whether an earlier request under the key did it.
        package let isReplay: Bool
        /// Whether something was heard of all that it started; if not, the same request may be sent again to wait on.
        package let isFinal: Bool
    }

    /// Does what somebody asks of an order, and waits until something was heard of all that it started.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - subject: of which order.
    ///   - use: the key it comes under, if it needs one.
    ///   - visit: the request's stay inside the door, which ends when what is asked is written down.
    /// - Returns: where the order stands then, or once a checkout would have waited long enough; nil if there is no
    /// such order.
    /// - Throws: `RequestRefusal`, ``PlacementRefusal/keyReused(_:)``, `SQLError`, or `CancellationError` if nobody
    /// waits any more; what was asked for goes on all the same.
    package func ask(
        _ request: OrderRequest,
        of subject: RequestDesk.Subject,
        under use: IdempotencyTable.Use? = nil,
        on visit: Visit? = nil
    ) async throws -> Asked? {
        try await waiters.withLine(on: subject.order, clock: clock) { line in
            guard let taken = try await requests.take(request, about: subject, under: use) else { return nil }
            visit?.leave()
            if let step = taken.step { relay.forward(step) }
            var order = taken.order
            let end = clock.now().adding(milliseconds: settings.deadlineMilliseconds)
            while taken.answer == nil, !request.isHeard(in: order), clock.now() < end {
                try Task.checkCancellation()
                let pause = clock.now().adding(milliseconds: Self.glanceMilliseconds)
                switch await line.next(until: min(pause, end)) {
                case .news(let newer, _): if newer.version > order.version { order = newer }
                case .alarm: order = try await load(order.id) ?? order
                }
            }
            return Asked(
                order: order,
                refund: taken.refund.flatMap { id in order.refunds.first { $0.id == id } },
                answer: taken.answer,
                isReplay: taken.isReplay,
                isFinal: request.isHeard(in: order)
            )
        }
    }

    /// Keeps the final answer to a request under its key, and answers the one that is kept: the first.
    ///
    /// - Throws: `SQLError`.
    package func keep(_ answer: [UInt8], for use: IdempotencyTable.Use) async throws -> [UInt8] {
        try await database.write { session in
            try IdempotencyTable.keep(answer, for: use, in: session)
            return try IdempotencyTable.request(use, in: session)?.answer ?? answer
        }
    }
}

extension OrderRequest {
    /// Whether something was heard of all that the request started.
    fileprivate func isHeard(in order: Order) -> Bool {
        switch self {
        case .capture, .release, .cancel, .refund, .resolve, .retry, .record: order.hasFirstReplies
        case .complete(let id):
            order.payments.first { $0.id == id }?.state != .requiresAction
                && (order.decision.state == .accepted || order.hasFirstReplies && order.decision.state != .cleared)
        }
    }
}
