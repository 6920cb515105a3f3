package import Domain
import SQL
package import Storage

extension Gateway {
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
    package func request(
        _ request: OrderRequest,
        of subject: Orders.Subject,
        under use: IdempotencyTable.Use? = nil,
        on visit: Visit? = nil
    ) async throws -> RequestResult? {
        try await updates.withSubscription(to: subject.order) { updates in
            guard var result = try await orders.request(request, of: subject, under: use) else { return nil }
            visit?.leave()
            if let step = result.step { log.passOn(step) }
            let end = clock.now().adding(milliseconds: settings.deadlineMilliseconds)
            while result.answer == nil, !result.isFinal, clock.now() < end {
                switch try await updates.next(after: result.order, until: end) {
                case .step(let newer, _): if newer.version > result.order.version { result.order = newer }
                case .timeout: result.order = try await load(subject.order) ?? result.order
                }
            }
            return result
        }
    }

    /// Waits for a change of an order.
    ///
    /// Steps of this instance wake it, and those of others as ``OrderUpdates`` hears of them.
    ///
    /// - Parameters:
    ///   - id: the order.
    ///   - marketplace: whose order it has to be.
    ///   - version: the version that is known; nil for the present one.
    ///   - milliseconds: how long to wait at the most.
    /// - Returns: the order once it has another version, or as it is when the time is over; nil if there is no such order.
    /// - Throws: ``Overload`` if too many wait, `SQLError`, or `CancellationError` if nobody waits any more.
    package func change(
        of id: OrderID,
        of marketplace: String,
        after version: Int64?,
        withinMilliseconds milliseconds: Int64
    ) async throws -> Order? {
        try await door.watching {
            let end = clock.now().adding(milliseconds: milliseconds)
            return try await updates.withSubscription(to: id) { updates in
                guard var order = try await updates.current(announcing: false)?.order, order.marketplace == marketplace
                else { return nil }
                let known = version ?? order.version
                while order.version == known, clock.now() < end {
                    switch try await updates.next(after: order, until: end) {
                    case .step(let newer, _): if newer.version > order.version { order = newer }
                    case .timeout: order = try await load(id) ?? order
                    }
                }
                return order
            }
        }
    }

    /// Keeps the final answer to a request under its key, and answers the one that is kept: the first.
    ///
    /// - Throws: `SQLError`.
    package func keep(_ answer: [UInt8], for use: IdempotencyTable.Use) async throws -> [UInt8] {
        try await database.write { session in
            try IdempotencyTable.record(answer, for: use, in: session)
            return try IdempotencyTable.request(use, in: session)?.answer ?? answer
        }
    }

    private func answer(to result: OrderPlacer.Result, patience: Int64) async throws -> Answer {
        switch result {
        case .placed(let placement, let details):
            let order = placement.order
            metrics.orders.count(placing: placement)
            log.cache(order)
            return try await updates.withSubscription(to: order.id) { updates in
                runner.start(placement.perform, of: order, with: details, log: log)
                let end = order.clock.realTime(of: order.terms.deadlineAt)
                return try await answer(to: order, until: end, isReplay: false, on: &updates)
            }
        case .known(let id):
            return try await updates.withSubscription(to: id) { updates in
                guard let stored = try await updates.current(announcing: !log.drives(id)) else {
                    throw OrderLogError.unknownOrder(id)
                }
                if let body = stored.answer { return Answer(order: id, body: .final(body), isReplay: true) }
                let until = clock.now().adding(milliseconds: patience)
                return try await answer(to: stored.order, until: until, isReplay: true, on: &updates)
            }
        }
    }

    /// Waits until the order is answerable.
    ///
    /// The wait ends at `end` only if the order is still undecided then; what
    /// is decided answers within its grace.
    private func answer(
        to order: Order,
        until end: Timestamp,
        isReplay: Bool,
        on updates: inout OrderUpdates.Subscription
    ) async throws -> Answer {
        var order = order
        while true {
            if order.isAnswered, let body = try await updates.current(announcing: false)?.answer {
                return Answer(order: order.id, body: .final(body), isReplay: isReplay)
            }
            try Task.checkCancellation()
            let now = clock.now()
            if now >= end, order.decision.state == .pending, !isDue(order, at: now) {
                return Answer(order: order.id, body: .undecided(order), isReplay: isReplay)
            }
            let times = [wakeAt(of: order), now < end ? end : nil].compactMap(\.self)
            switch try await updates.next(after: order, until: times.min()) {
            case .step(let newer, let body?):
                return Answer(order: newer.id, body: .final(body), isReplay: isReplay)
            case .step(let newer, nil):
                if newer.version > order.version { order = newer }
            case .timeout:
                order = try await look(at: order)
            }
        }
    }

    /// Looks at an order again: lets it look at the clock if its time has come, else reads what others did to it.
    private func look(at order: Order) async throws -> Order {
        if isDue(order, at: clock.now()) { return try await log.submit(.tick, to: order.id).order }
        return try await load(order.id) ?? order
    }

    /// The real moment at which an order wants to look at the clock, as far as is known.
    private func wakeAt(of order: Order) -> Timestamp? {
        OrderMachine.wakeAt(of: order, at: order.time(at: clock.now()), settings.rules).map(order.clock.realTime)
    }

    private func isDue(_ order: Order, at now: Timestamp) -> Bool { wakeAt(of: order).map { $0 <= now } ?? false }

    private func load(_ id: OrderID) async throws -> Order? {
        try await database.read { session in try OrderReader.load(id, in: session) }
    }
}
