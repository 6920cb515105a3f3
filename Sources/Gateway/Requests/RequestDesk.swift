package import AdapterKit
package import Domain
package import SQL
package import Storage

/// Takes what somebody asks of an order: one transaction under the order's lock, with the key it came under.
///
/// Two requests about one order never see the same amounts, whatever instances they come to.
package struct RequestDesk: Sendable {
    /// An order after a request.
    package struct Taken: Sendable {
        /// The order as it is then.
        package var order: Order
        /// The refund that the request asked for.
        package let refund: RefundID?
        /// The stored answer, if an earlier request under the key has one.
        package let answer: [UInt8]?
        /// Whether an earlier request under the key did it.
        package let isReplay: Bool
        let step: StepWriter.Step?
    }

    /// Whose order, which, and who asks.
    package struct Subject: Hashable, Sendable {
        let order: OrderID
        let marketplace: String?
        let caller: Caller?

        /// An order of a marketplace; of any, for an operator on the machine.
        ///
        /// Who asks stands on the events.
        package init(_ order: OrderID, of marketplace: String?, by caller: Caller? = nil) {
            self.order = order
            self.marketplace = marketplace
            self.caller = caller
        }
    }

    let database: any Database
    let clock: any GatewayClock
    let rules: MachineRules
    let writer: StepWriter
    private let capabilities: [String: Capabilities]
    private let performs: Bool

    init(
        database: any Database,
        clock: any GatewayClock,
        rules: MachineRules,
        writer: StepWriter,
        capabilities: [String: Capabilities],
        performs: Bool
    ) {
        self.database = database
        self.clock = clock
        self.rules = rules
        self.writer = writer
        self.capabilities = capabilities
        self.performs = performs
    }

    /// A desk that writes down what is asked and leaves it to serving instances to do it.
    ///
    /// - Parameters:
    ///   - database: where the orders are.
    ///   - clock: the time of each step.
    ///   - rules: the times to plan by.
    ///   - capabilities: what each PSP can do, by name.
    ///   - instance: a name no other instance has.
    ///   - presentation: writes orders as answers and callbacks show them.
    /// - Returns: the desk.
    package static func remote(
        database: any Database,
        clock: any GatewayClock,
        rules: MachineRules = MachineRules(),
        capabilities: [String: Capabilities],
        instance: String,
        presentation: Presentation
    ) -> RequestDesk {
        RequestDesk(
            database: database,
            clock: clock,
            rules: rules,
            writer: StepWriter(instance: instance, presentation: presentation),
            capabilities: capabilities,
            performs: false
        )
    }

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - subject: of which order.
    ///   - use: the key it comes under, if it needs one.
    /// - Returns: the order after it, or what an earlier request under the key has come to; nil if there is no such
    /// order.
    /// - Throws: `RequestRefusal`, ``PlacementRefusal/keyReused(_:)``, ``OrderDeskError`` or `SQLError`; then nothing
    /// is stored, and the key is free.
    package func take(
        _ request: OrderRequest,
        about subject: Subject,
        under use: IdempotencyTable.Use? = nil
    ) async throws -> Taken? {
        try await database.write { session in
            guard try OrderReader.lock(subject.order, in: session) != nil,
                let before = try OrderReader.load(subject.order, in: session),
                subject.marketplace == nil || subject.marketplace == before.marketplace
            else { return nil }
            if let use, let known = try IdempotencyTable.request(use, in: session) {
                guard use.bodyHashes.contains(known.bodyHash) else { throw PlacementRefusal.keyReused(known.order) }
                return Taken(
                    order: before,
                    refund: known.refund,
                    answer: known.answer,
                    isReplay: true,
                    step: nil
                )
            }
            return try take(request, of: before, by: subject.caller, under: use, in: session)
        }
    }

    private func take(
        _ request: OrderRequest,
        of before: Order,
        by caller: Caller?,
        under use: IdempotencyTable.Use?,
        in session: any Session
    ) throws -> Taken {
        let now = clock.now()
        try refuseSettledFee(of: request, about: before, in: session)
        var machine = OrderMachine(before, at: now, by: writer.instance, rules: rules, ids: IdentifierSource())
        machine.caller = caller
        let refund = try machine.take(request) { route in
            let can = capabilities[route.psp]
            return CaptureAbility(
                partial: can?.partialCapture ?? false,
                multiple: can?.multipleCapture ?? false,
                releasesRest: can?.releaseAfterCapture ?? false
            )
        }
        if !performs { machine.handOver() }
        let step = try writer.write(&machine, from: before, in: session)
        if let use {
            try IdempotencyTable.insert(use, order: before.id, at: now, in: session)
            if let refund { try IdempotencyTable.name(refund, for: use, in: session) }
        }
        return Taken(order: step.order, refund: refund, answer: nil, isReplay: false, step: step)
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
