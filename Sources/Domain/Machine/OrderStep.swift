/// What a step of an order came to: all that has to be stored in one transaction, and all that is left to do behind it.
package struct OrderStep: Hashable, Sendable {
    /// The order after the step; as it was stored, if nothing came of it.
    package let order: Order
    /// What the store gains: facts, events, journal entries, and what becomes of credentials.
    package let record: OrderMachine.Record
    /// The operations that the step's instance has in hand since this step, and must perform now.
    package let perform: [OperationID]
    /// The operations that the step wrote down to be sent once more.
    package let resent: [OperationID]
    /// What the marketplace and merchants are told, in an order that makes sense.
    package let announcements: [Announcement]
    /// The final answer to the checkout, if this step makes it.
    package let answer: [UInt8]?
    /// When the order wants to look at the clock again; nil if it waits for nothing but replies.
    package let wakeAt: Timestamp?
    /// The refund that the step's request asked for.
    package let refund: RefundID?
    /// Whether each notice was about something that the order knows; what was not can be told again later.
    package let isMatched: Bool
    /// Whether nothing came of it that has to be stored.
    package let isEmpty: Bool
}

extension OrderMachine {
    /// Applies something that the order is told.
    ///
    /// Any input may come twice and in any order.
    ///
    /// - Throws: ``RequestRefusal``, for a request only; then the step must not be stored.
    package mutating func apply(_ input: OrderInput) throws(RequestRefusal) {
        #if DEBUG
        let before = Self.witness == nil ? nil : OrderStanding(of: order)
        do throws(RequestRefusal) { try perform(input) } catch {
            if let before { Self.witness?(before, input, true) }
            throw error
        }
        if let before { Self.witness?(before, input, false) }
        #else
        try perform(input)
        #endif
    }

    private mutating func perform(_ input: OrderInput) throws(RequestRefusal) {
        switch input {
        case .placement(let tokens, let caller):
            self.caller = caller
            place()
            for payment in order.payments {
                if let details = tokens[payment.id] { emitTokenChoice(details, for: payment.id) }
            }
        case .outcome(let report): hear(report)
        case .notices(let batch): hear(batch)
        case .request(let request, let caller, let abilities):
            isRequired = true
            self.caller = caller
            try apply(request, abilities: abilities)
        case .webhookProblem(let webhook, let attempt, let amount):
            refreshWebhookAttention(oldest: webhook, about: attempt, amountAtRisk: amount)
        case .webhookDismissal(let webhook, let evidence):
            caller = Caller(operator: evidence.person)
            emitDismissal(of: webhook, evidence)
        case .claim(let operation): _ = claim(operation)
        case .sending(let operation, let lease, let isAnew):
            _ = recordSending(of: operation, underLease: lease, isAnew: isAnew)
        case .tick:
            isRequired = true
            tick()
        case .deferFollowUp: isFollowUpDeferred = true
        case .endLease(let operation, let lease, let end): endLease(lease, of: operation, end)
        case .releaseLeases(let instance): releaseLeases(of: instance)
        case .restored: distrustBooks()
        }
    }

    /// Ends the step, and says what it came to.
    ///
    /// - Parameter render: writes the order as the checkout's final answer; called if this step makes it.
    /// - Returns: what to store, and what is left to do.
    package consuming func finish(answering render: (Order) -> [UInt8] = { _ in [] }) -> OrderStep {
        guard isRequired || order != stored || record != Record() else {
            return step(isEmpty: true, announcements: [], answer: nil)
        }
        let isAnswered = answer()
        let announcements = announce(since: stored)
        // A look at the clock that changed nothing is stored, and is no change.
        if order != stored || record != Record() { order.updatedAt = now }
        order.version += 1
        return step(isEmpty: false, announcements: announcements, answer: isAnswered ? render(order) : nil)
    }

    private func step(isEmpty: Bool, announcements: [Announcement], answer: [UInt8]?) -> OrderStep {
        OrderStep(
            order: order,
            record: record,
            perform: performed,
            resent: resent,
            announcements: announcements,
            answer: answer,
            wakeAt: PlantedBug.wakeUpForgotten.isPlanted ? nil : hasFollowedUp ? wakeAt : owedAt,
            refund: refund,
            isMatched: isMatched,
            isEmpty: isEmpty
        )
    }

    /// What the step took in hand and still has, in the order in which it stands in the order.
    package var performed: [OperationID] {
        guard !leased.isEmpty else { return [] }
        return order.payments.flatMap(\.attempts).flatMap(\.operations)
            .filter { $0.leasedBy == instance && leased.contains($0.id) }.map(\.id)
    }
}

/// One thing that was heard of an operation; facts are only ever added.
package struct Fact: Hashable, Sendable {
    /// The operation.
    package let operation: OperationID
    /// What kind of thing was heard: an operation state's name.
    package let kind: String
    /// The PSP's name for the object, empty if it named none.
    package let reference: String
    /// Who said so.
    package let origin: Operation.Origin
    /// The amount in minor units, for a success.
    package let amount: Int64?
    /// The PSP's code, or the reason of doubt.
    package let code: String?
    /// When it was heard.
    package let at: Timestamp

    /// Makes a fact.
    package init(
        operation: OperationID,
        kind: String,
        reference: String,
        origin: Operation.Origin,
        amount: Int64?,
        code: String?,
        at: Timestamp
    ) {
        self.operation = operation
        self.kind = kind
        self.reference = reference
        self.origin = origin
        self.amount = amount
        self.code = code
        self.at = at
    }
}

/// A credential that pays for another attempt from now on.
package struct CredentialMove: Hashable, Sendable {
    /// The attempt that it could not pay for.
    package let from: AttemptID
    /// The attempt that it pays for now.
    package let to: AttemptID

    /// Makes a move.
    package init(from: AttemptID, to: AttemptID) {
        self.from = from
        self.to = to
    }
}
