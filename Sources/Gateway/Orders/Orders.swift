package import AdapterKit
package import Domain
package import SQL
package import Storage
import Telemetry

extension Gateway {
    /// Takes what somebody asks of an order: one transaction under the order's lock, with the key it came under.
    ///
    /// Two requests about one order never see the same amounts, whatever instances they come to.
    package struct Orders: Sendable {
        /// Whose order, which, and who asks.
        package struct Subject: Hashable, Sendable {
            let order: OrderID
            let marketplace: String?
            let actor: AuditActor?

            /// Who stands on the events.
            var caller: Caller? { actor?.caller }

            /// An order of a marketplace; of any, for an operator on the machine.
            ///
            /// Who asks stands on the events and in the audit trail; the instance in the latter if nobody is named.
            package init(_ order: OrderID, of marketplace: String?, by actor: AuditActor? = nil) {
                self.order = order
                self.marketplace = marketplace
                self.actor = actor
            }
        }

        let database: any Database
        let clock: any GatewayClock
        let log: OrderLog
        private let updates: OrderUpdates
        private let abilities: [String: CaptureAbility]
        private let performs: Bool
        private let traces: TraceWriter

        /// Takes requests for a log.
        ///
        /// - Parameters:
        ///   - database: where the orders are.
        ///   - clock: the time of each step.
        ///   - log: applies the requests.
        ///   - updates: tells of the orders' steps.
        ///   - capabilities: what each PSP can do, by name.
        ///   - performs: whether the log's instance performs what a request starts; else whoever looks next does.
        ///   - traces: where requests' steps are told of.
        init(
            database: any Database,
            clock: any GatewayClock,
            log: OrderLog,
            updates: OrderUpdates,
            capabilities: [String: Capabilities],
            performs: Bool,
            traces: TraceWriter = .none
        ) {
            self.database = database
            self.clock = clock
            self.log = log
            self.updates = updates
            abilities = capabilities.mapValues { can in
                CaptureAbility(
                    partial: can.partialCapture,
                    multiple: can.multipleCapture,
                    releasesRest: can.releaseAfterCapture,
                    keepsCommission: can.keepsCommissionOfRefunds
                )
            }
            self.performs = performs
            self.traces = traces
        }

        /// Writes down what is asked, and leaves it to serving instances to do it.
        ///
        /// - Parameters:
        ///   - database: where the orders are.
        ///   - clock: the time of each step.
        ///   - rules: the times to plan by.
        ///   - capabilities: what each PSP can do, by name.
        ///   - instance: a name no other instance has.
        ///   - presentation: writes orders as answers and callbacks show them.
        ///   - waitNetMilliseconds: how often who waits for an order looks at it if nobody tells of a step.
        /// - Returns: orders whose requests nobody here performs.
        package static func remote(
            database: any Database,
            clock: any GatewayClock,
            rules: OrderTimings = OrderTimings(),
            capabilities: [String: Capabilities],
            instance: String,
            presentation: Presentation,
            waitNetMilliseconds: Int64 = GatewaySettings().waitNetMilliseconds
        ) -> Orders {
            Orders(
                database: database,
                clock: clock,
                log: OrderLog(
                    database: database,
                    clock: clock,
                    rules: rules,
                    instance: instance,
                    presentation: presentation
                ),
                updates: OrderUpdates(
                    database: database,
                    presentation: presentation,
                    clock: clock,
                    instance: instance,
                    netMilliseconds: waitNetMilliseconds
                ),
                capabilities: capabilities,
                performs: false
            )
        }

        /// Takes a request, and does not wait for what becomes of it.
        ///
        /// - Parameters:
        ///   - request: what is asked.
        ///   - subject: of which order.
        ///   - use: the key it comes under, if it needs one.
        /// - Returns: the order after it, or what an earlier request under the key has come to; nil if there is no such
        /// order.
        /// - Throws: `RequestRefusal`, ``PlacementRefusal/keyReused(_:)``, ``OrderLogError`` or `SQLError`; then nothing
        /// is stored, and the key is free.
        package func request(
            _ request: OrderRequest,
            of subject: Subject,
            under use: IdempotencyTable.Use? = nil
        ) async throws -> RequestResult? {
            let begin = traces.now
            let result = try await database.write { session -> RequestResult? in
                guard let locked = try log.lock(subject.order, in: session),
                    subject.marketplace == nil || subject.marketplace == locked.order.marketplace
                else { return nil }
                let idempotency = Idempotency(use: use)
                if let earlier = try idempotency.earlierRequest(in: session) {
                    return RequestResult(of: request, earlier, locked.order)
                }
                try refuseSettledFee(of: request, about: locked.order, in: session)
                var inputs = [OrderInput.request(request, by: subject.caller, abilities: abilities)]
                if !performs { inputs.append(.releaseLeases(of: log.instance)) }
                let now = clock.now()
                let step = try idempotency.once(for: subject.order, at: now, in: session) {
                    try log.apply(inputs, to: locked, at: now, in: session)
                }
                if step.changes(locked.order) { try record(request, subject, of: locked.order, at: now, in: session) }
                return RequestResult(of: request, step)
            }
            if let step = result?.step { traces.record(step, since: begin) }
            return result
        }

        /// Waits until something was heard of all that was asked of an order.
        ///
        /// - Parameters:
        ///   - id: the order.
        ///   - milliseconds: how long to wait at the most.
        /// - Returns: the order as it is then; nil if there is no such order.
        /// - Throws: `SQLError`, or `CancellationError`.
        package func replies(to id: OrderID, withinMilliseconds milliseconds: Int64) async throws -> Order? {
            let end = clock.now().adding(milliseconds: milliseconds)
            return try await updates.withSubscription(to: id) { updates in
                guard var order = try await updates.current(announcing: milliseconds > 0)?.order else { return nil }
                while !order.hasFirstReplies, clock.now() < end {
                    switch try await updates.next(after: order, until: end) {
                    case .step(let newer, _): if newer.version > order.version { order = newer }
                    case .timeout: order = try await updates.current(announcing: false)?.order ?? order
                    }
                }
                return order
            }
        }

        private func record(
            _ request: OrderRequest,
            _ subject: Subject,
            of order: Order,
            at now: Timestamp,
            in session: any Session
        ) throws(SQLError) {
            guard let (act, details) = request.audited else { return }
            try AuditTrailTable.record(
                act,
                by: subject.actor ?? .instance(log.instance),
                on: AuditSubject(.order, order.id.text),
                of: order.marketplace,
                at: now,
                details,
                in: session
            )
        }

        /// Who bears the fee that a settlement file told of a dispute was posted with the file.
        private func refuseSettledFee(of request: OrderRequest, about order: Order, in session: any Session) throws {
            guard case .record(let record, _) = request, case .dispute(let news) = record.deed, news.fee ?? 0 > 0,
                try DisputeFeeTable.settled(of: order.id, in: session).contains(record.reference ?? ""),
                !order.payments.flatMap(\.disputes).contains(where: {
                    $0.reference == record.reference && $0.fee == news.fee
                })
            else { return }
            throw RequestRefusal(
                .feeSettled,
                "The PSP's settlement file told what it took for the dispute, and that is posted: leave the fee out.",
                payment: record.payment
            )
        }
    }
}

/// What became of a request about an order.
package struct RequestResult: Sendable {
    /// The order as it is now.
    package internal(set) var order: Order
    /// The stored answer, if an earlier request under the key has one.
    package let answer: [UInt8]?
    /// Whether an earlier request under the key did it.
    package let isReplay: Bool
    /// The step that it took; nil for a replay.
    let step: OrderStep?
    private let request: OrderRequest
    private let refundID: RefundID?

    /// A request that took a step.
    fileprivate init(of request: OrderRequest, _ step: OrderStep) {
        self.request = request
        self.step = step
        (order, refundID, answer, isReplay) = (step.order, step.refund, nil, false)
    }

    /// A request that an earlier one had done already.
    fileprivate init(of request: OrderRequest, _ earlier: IdempotencyTable.KnownRequest, _ order: Order) {
        self.request = request
        self.order = order
        (refundID, answer, isReplay, step) = (earlier.refund, earlier.answer, true, nil)
    }

    /// The refund that was asked for.
    package var refund: Refund? { refundID.flatMap { id in order.refunds.first { $0.id == id } } }

    /// Whether something was heard of all that it started; if not, the same request may be sent again to wait on.
    package var isFinal: Bool { request.isHeard(in: order) }
}

extension OrderStep {
    /// Whether something was done: the clock that the order follows, and that somebody looked, are no change.
    fileprivate func changes(_ before: Order) -> Bool {
        func operations(_ order: Order) -> [Operation] {
            order.payments.flatMap(\.attempts).flatMap(\.operations)
        }
        return record != OrderMachine.Record() || operations(order) != operations(before)
    }
}

extension OrderRequest {
    /// Whether something was heard of all that the request started.
    fileprivate func isHeard(in order: Order) -> Bool {
        switch self {
        case .capture, .release, .cancel, .cancelPayments, .refund, .resolve, .retry, .record: order.hasFirstReplies
        case .complete(let id):
            order.payments.first { $0.id == id }?.state != .requiresAction
                && (order.decision.state == .accepted || order.hasFirstReplies && order.decision.state != .cleared)
        }
    }
}
