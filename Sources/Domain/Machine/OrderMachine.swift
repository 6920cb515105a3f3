/// Decides what becomes of one order.
///
/// Pure: it knows no clock, database or socket.
///
/// A caller makes one from the order as stored, applies what happened (``apply(_:)``), and stores what ``finish(answering:)``
/// says it came to in one transaction. Then the operations that the step names are performed, and their outcomes are
/// applied by the next machine.
package struct OrderMachine {
    /// The order as it is now.
    package internal(set) var order: Order
    /// What has to be stored with it.
    package internal(set) var record = Record()
    /// Who asks for this step, if somebody does: it stands on the events that come of it.
    package var caller: Caller?

    /// The order as the step found it.
    let stored: Order
    /// What the step took in hand, and perhaps gave back since.
    var leased: [OperationID] = []
    /// What the step wrote down to be sent once more.
    var resent: [OperationID] = []
    /// The refund that the last request asked for.
    var refund: RefundID?
    /// Whether each notice so far was about something that the order knows.
    var isMatched = true
    /// Whether the step is stored even if nothing came of it: somebody waits for it to be over.
    var isRequired = false
    /// Whether the step looked at all that the order has to do.
    var hasFollowedUp = false
    /// Whether more is to be heard before the order decides and starts what follows.
    var isFollowUpDeferred = false

    let rules: OrderTimings
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
    package init(_ order: Order, at now: Timestamp, by instance: String, rules: OrderTimings, ids: IdentifierSource) {
        self.order = order
        stored = order
        self.now = now
        self.instance = instance
        self.rules = rules
        self.ids = ids
    }

    /// Goes by the marketplace's clock as it is now, to which the moment of the step has to be told.
    ///
    /// Before anything else; the step is stored even if nothing else comes of it.
    package mutating func follow(_ clock: MarketplaceClock) { order = order.moved(to: clock) }

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
        /// Attempts whose credential is needed no more, to be erased in the same transaction, after the moves.
        package var erasures: [AttemptID] = []

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
            if let place = find(payment.attempt.authorization.id) { lease(at: place) }
        }
    }

    /// Writes down what of a wallet token pays a payment, and why it was chosen.
    mutating func emitTokenChoice(_ token: [OrderEvent.Detail], for payment: PaymentID) {
        emit("payment.token_opened", of: payment, details: token)
    }

    /// Hears what became of an operation.
    ///
    /// Reports may come twice and in any order.
    package mutating func hear(_ report: Report) {
        guard let place = find(report.operation), !isOvertaken(report, of: self[place]) else { return }
        let (before, operation) = (order.status, self[place])
        let authorization = attempt(at: place).authorization
        if report.isOfSearch {
            hearSearch(report, at: place)
            return decideAndFollowUp(from: before)
        }
        apply(withoutSurplus(report, at: place), at: place)
        searchOnceOver(authorization, report.timings)
        adoptSurplus(report, of: operation)
        // Whoever asked for it had the first answer, and does not wait for another one.
        if operation.repliedAt != nil { raiseRefusedRefund(operation, at: place) }
        if report.canOnlyBeUndone { undoDoubt(at: place) }
        decideAndFollowUp(from: before)
    }

    /// Looks at the clock.
    package mutating func tick() {
        let before = order.status
        expireActions()
        emitExpiryWarning()
        decideAndFollowUp(from: before)
    }

    /// Takes an operation in hand that is due, and says whether it was.
    ///
    /// Whoever had it before may have sent it; then an open operation is unknown. One that is over is due for a search alone.
    /// Where whoever had it never reported, a person is told as of what was reported: each that has it may die of it.
    package mutating func claim(_ operation: OperationID) -> Bool {
        guard let place = find(operation), self[place].isOpen || self[place].awaitsSearch, let due = self[place].dueAt,
            due <= now
        else { return false }
        if PlantedBug.leftTakenForUnsent.isPlanted, self[place].state == .open { self[place].forgetSendings() }
        let (before, wasSent, isLost) = (self[place].state, self[place].wasSent, self[place].leasedBy != nil)
        lease(at: place)
        if before == .open, wasSent {
            self[place].state = .unknown(reason: "its instance did not report back")
        }
        emitTransition(from: before, to: self[place].state, at: place)
        if isLost, case .unknown = self[place].state { raiseDoubt(at: place) }
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

    /// Ends the leases of an instance that performs nothing, or nothing more: whoever looks next takes its operations in
    /// hand.
    ///
    /// What this very step leased was handed to nobody, and counts as never leased. What an earlier step leased counts as
    /// perhaps sent, as if the lease had run out.
    package mutating func releaseLeases(of holder: String) {
        for operation in order.payments.flatMap(\.attempts).flatMap(\.operations) where operation.leasedBy == holder {
            let isOfThisStep = leased.contains(operation.id)
            change(operation.id) { [now] in
                if isOfThisStep {
                    $0.leases -= 1
                    $0.leasedBy = nil
                    $0.dueAt = now
                    if $0.sentUnderLease > $0.leases { $0.forgetSendings() }
                } else if let due = $0.dueAt, due > now {
                    $0.dueAt = now
                }
            }
        }
    }

    /// Decides if it can, and starts what follows, until nothing more follows.
    ///
    /// Where that is deferred, only what keeps the order's rules is done: what nobody wants is released, or given back.
    mutating func decideAndFollowUp(from before: OrderStatus) {
        trackAction()
        withdrawNeedlessCancels()
        if isFollowUpDeferred {
            refreshRefundAttention()
            withdrawUnwantedCaptures(isDeferred: true)
            startUnwantedReleases()
        } else {
            hasFollowedUp = true
            decide()
            checkCaptures()
            callOffWhatIsGone()
            withdrawUnwantedCaptures(isDeferred: false)
            retryRefunds()
            refreshRefundAttention()
            startPlannedOperations()
            accept()
            startPlannedOperations()
        }
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
    mutating func lease(_ operation: inout Operation) {
        operation.leases += 1
        operation.leasedBy = instance
        operation.dueAt = now.adding(milliseconds: rules.leaseMilliseconds)
        if !operation.wasSent { operation.recordSending(at: now) }
        leased.append(operation.id)
    }

    /// Takes an operation of the order in hand.
    mutating func lease(at place: Place) {
        var operation = self[place]
        lease(&operation)
        self[place] = operation
    }
}

extension OrderMachine {
    /// Where an operation stands in the order.
    struct Place {
        let payment: Int
        let attempt: Int
        let operation: Int
    }

    func find(_ id: OperationID) -> Place? {
        for payment in order.payments.indices {
            for attempt in order.payments[payment].attempts.indices {
                let operations = order.payments[payment].attempts[attempt].operations
                if let operation = operations.indices.first(where: { operations[$0].id == id }) {
                    return Place(payment: payment, attempt: attempt, operation: operation)
                }
            }
        }
        return nil
    }

    subscript(id: OperationID) -> Operation? { find(id).map { self[$0] } }

    subscript(place: Place) -> Operation {
        get { order.payments[place.payment].attempts[place.attempt].operations[place.operation] }
        set {
            if newValue.kind == .authorize, !newValue.state.keepsCredential, self[place].state.keepsCredential,
                !PlantedBug.credentialKept.isPlanted
            {
                record.erasures.append(order.payments[place.payment].attempts[place.attempt].id)
            }
            order.payments[place.payment].attempts[place.attempt].operations[place.operation] = newValue
        }
    }

    func attempt(at place: Place) -> Attempt { order.payments[place.payment].attempts[place.attempt] }

    mutating func changeAttempt(at place: Place, _ body: (inout Attempt) -> Void) {
        body(&order.payments[place.payment].attempts[place.attempt])
    }

    mutating func change(_ id: OperationID, _ body: (inout Operation) -> Void) {
        guard let place = find(id) else { return }
        body(&self[place])
    }

    mutating func emit(
        _ type: String,
        of payment: PaymentID? = nil,
        operation: OperationID? = nil,
        details: [OrderEvent.Detail] = []
    ) {
        if !PlantedBug.eventNumberReused.isPlanted || type != "order.status_changed" { order.eventSequence += 1 }
        record.events.append(
            OrderEvent(
                id: ids.make(at: now),
                sequence: order.eventSequence,
                type: type,
                payment: payment,
                operation: operation,
                at: now,
                details: details,
                caller: caller
            )
        )
    }
}

extension Order {
    /// Whether the checkout can be told: the buyer has something to do and all of it is known or the deadline is over, the
    /// order is accepted, or it is refused and each undoing has had a first reply or `grace` is over.
    package func isAnswerable(at now: Timestamp, graceMilliseconds: Int64) -> Bool {
        switch decision.state {
        case .pending: status == .requiresAction && (!mayNeedMoreActions || now >= terms.deadlineAt)
        case .cleared: false
        case .accepted: true
        case .refused, .canceled: hasFirstReplies || isGraceOver(at: now, graceMilliseconds)
        }
    }

    /// Whether another step of the buyer's may turn up at any moment: a payment is on its way to its PSP.
    package var mayNeedMoreActions: Bool {
        payments.contains { counts($0) && ($0.state == .created || $0.state == .authorizing) }
    }

    /// Whether something was heard of everything that was asked of PSPs behind the authorizations.
    package var hasFirstReplies: Bool {
        payments.flatMap(\.attempts).flatMap(\.operations).allSatisfy { !$0.awaitsFirstReply }
    }

    private func isGraceOver(at now: Timestamp, _ graceMilliseconds: Int64) -> Bool {
        guard let at = decision.at else { return true }
        return now >= at.adding(milliseconds: graceMilliseconds)
    }
}
