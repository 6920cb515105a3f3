/// Decides what becomes of one order.
///
/// Pure: it knows no clock, database or socket.
///
/// A caller makes one from the order as stored, tells it what happened (``hear(_:)``, ``tick()``), and stores
/// ``order`` with ``record`` in one transaction. Operations of the record that are leased to this instance are
/// then performed, and what is learned is told to the next machine.
package struct OrderMachine {
    /// The order as it is now.
    package internal(set) var order: Order
    /// What has to be stored with it.
    package internal(set) var record = Record()
    /// Who asks for this step, if somebody does: it stands on the events that come of it.
    package var caller: Caller?

    let rules: MachineRules
    let now: Timestamp
    let instance: String
    /// What makes the identifiers; a caller with a seed hands it on to the next step, or the same ones come again.
    package internal(set) var ids: IdentifierSource

    /// Takes an order in hand.
    ///
    /// - Parameters:
    ///   - order: the order as stored.
    ///   - now: the moment of this step.
    ///   - instance: who performs the operations that the step starts.
    ///   - rules: the times to plan by.
    ///   - ids: makes the identifiers of what the step starts.
    package init(_ order: Order, at now: Timestamp, by instance: String, rules: MachineRules, ids: IdentifierSource) {
        self.order = order
        self.now = now
        self.instance = instance
        self.rules = rules
        self.ids = ids
    }

    /// What a step adds to the store besides the order's new state.
    package struct Record: Hashable, Sendable {
        /// What was heard, to be added to the facts.
        package var facts: [Fact] = []
        /// New events, in their order.
        package var events: [OrderEvent] = []
        /// New journal entries.
        package var entries: [JournalEntry] = []
        /// Credentials that pay for another attempt from now on, to be moved in the same transaction.
        package var credentialMoves: [CredentialMove] = []

        /// A step that adds nothing.
        package init() {}
    }

    /// Starts the authorizations of an order that was just written down.
    package mutating func place() {
        emit(
            "order.placed",
            details: [
                .init("policy", .text(order.terms.policy.name)), .init("amount", .integer(order.amount.minorUnits)),
                .init("currency", .text(order.amount.currency.code)), .init("payable", .integer(order.payable)),
            ]
        )
        for index in order.payments.indices {
            let payment = order.payments[index]
            emit(
                "payment.routed",
                of: payment.id,
                details: [
                    .init("psp", .text(payment.attempt.route.psp)),
                    .init("psp_account", .text(payment.attempt.route.pspAccount)),
                    .init("amount", .integer(payment.amount)),
                ]
            )
            change(payment.attempt.authorization.id) { [self] in lease(&$0) }
        }
    }

    /// Hears what became of an operation.
    ///
    /// Reports may come twice and in any order.
    package mutating func hear(_ report: Report) {
        guard let place = find(report.operation), !isOfEarlierTry(report, of: self[place]) else { return }
        let (before, operation) = (order.status, self[place])
        absorb(report, at: place)
        // Taken on and then forgotten: nobody waits for this answer.
        if operation.state.isWorkedOn, case .rejected(let rejection) = report.outcome, rejection.reason == .notFound {
            raiseRefusedRefund(operation, at: place)
        }
        if report.canOnlyBeUndone { undoDoubt(at: place) }
        settle(from: before)
    }

    /// Looks at the clock.
    package mutating func tick() {
        let before = order.status
        expireActions()
        tellOfExpiry()
        settle(from: before)
    }

    /// Takes an operation in hand that is due, and says whether it was.
    ///
    /// Whoever had it before may have sent it; then an open operation is unknown.
    package mutating func claim(_ operation: OperationID) -> Bool {
        guard let place = find(operation), self[place].isOpen, let due = self[place].dueAt, due <= now else {
            return false
        }
        let (before, wasSent) = (self[place].state, self[place].wasSent)
        lease(&self[place])
        if before == .open, wasSent {
            self[place].state = .unknown(reason: "its instance did not report back")
        }
        tell(before, self[place].state, at: place)
        return true
    }

    /// Marks the order as answered if it is time to answer its checkout, and says whether it did.
    package mutating func answer() -> Bool {
        guard !order.isAnswered, order.isAnswerable(at: now, graceMilliseconds: rules.graceMilliseconds) else {
            return false
        }
        order.isAnswered = true
        return true
    }

    /// Leaves what this step took in hand to whoever looks next, for an instance that performs nothing itself.
    package mutating func handOver() {
        for operation in order.payments.flatMap(\.attempts).flatMap(\.operations) where operation.leasedBy == instance {
            change(operation.id) { [now] in
                $0.leases -= 1
                $0.leasedBy = nil
                $0.dueAt = now
                if $0.sentUnderLease > $0.leases { $0.forgetSendings() }
            }
        }
    }

    /// Counts the step, once the caller is about to store it.
    package mutating func seal() { order.version += 1 }

    /// Decides if it can, and starts what follows, until nothing more follows.
    mutating func settle(from before: OrderStatus) {
        trackAction()
        decide()
        checkCaptures()
        callOffWhatIsGone()
        retryRefunds()
        reviewRefunds()
        startWhatIsWanted()
        accept()
        startWhatIsWanted()
        let after = order.status
        if after != before {
            emit(
                "order.status_changed",
                details: [
                    .init("from", .text(before.rawValue)), .init("to", .text(after.rawValue)),
                ]
            )
        }
    }

    /// Takes an operation in hand; what was never sent is sent right away.
    func lease(_ operation: inout Operation) {
        operation.leases += 1
        operation.leasedBy = instance
        operation.dueAt = now.adding(milliseconds: rules.leaseMilliseconds)
        if !operation.wasSent { operation.recordSending(at: now) }
    }
}
