extension OrderMachine {
    /// Keeps what a success implies: amounts, the allocation, the journal, and captures the PSP made on its own.
    ///
    /// - Parameters:
    ///   - success: what the PSP says it did.
    ///   - report: the report it came with.
    ///   - place: the operation, which is already marked as succeeded.
    ///   - prior: the attempt as it was before.
    mutating func succeed(_ success: Success, _ report: Report, at place: Place, prior: Attempt) {
        let operation = self[place]
        let amount = max(0, success.amount)
        let isLess = amount < operation.amount && (operation.kind == .capture || operation.kind == .refund)
        if amount > operation.amount || isLess {
            raise(.amountMismatch, operation, at: place, amountAtRisk: abs(amount - operation.amount))
        }
        switch operation.kind {
        case .authorize: authorize(success, report, at: place)
        case .capture: capture(min(amount, prior.authorized - prior.captured), held: prior.held, at: place)
        case .void: release(prior.held, at: place)
        case .refund: refund(min(amount, prior.net), at: place)
        case .reverse: refund(prior.net, at: place)
        }
    }

    /// Keeps what a refusal teaches: that the PSP captured, or let go of, the authorization on its own.
    mutating func learn(from state: OperationState, at place: Place) {
        let (operation, attempt) = (self[place], attempt(at: place))
        let reason: Rejection.Reason?
        switch state {
        case .rejected(let rejection): reason = rejection.reason
        case .declined: reason = nil
        case .open, .unknown, .pending, .actionRequired, .notSent, .succeeded: return
        }
        switch (operation.kind, reason) {
        case (.void, .alreadyCaptured):
            addPSPOperation(.capture, amount: attempt.held, at: place)
        case (.capture, .alreadyVoided), (.capture, .expired):
            addPSPOperation(.void, amount: attempt.held, at: place)
        case (.authorize, _), (.capture, _), (.refund, .notSettledYet):
            break
        case (.void, _), (.refund, _), (.reverse, _):
            let atRisk = attempt.authorization.isOpen ? operation.amount : attempt.held + attempt.net
            guard atRisk > 0 else { return }
            raise(.compensationRefused, operation, at: place, amountAtRisk: atRisk)
        }
    }

    private mutating func authorize(_ success: Success, _ report: Report, at place: Place) {
        let approved = min(max(0, success.amount), self[place].amount)
        self[place].doneAmount = approved
        let lapse = now.adding(milliseconds: report.authorizationLifeMilliseconds)
        changeAttempt(at: place) {
            $0.network = success.network ?? $0.network
            $0.last4 = success.last4 ?? $0.last4
            $0.expiresAt = success.expiresAt ?? lapse
        }
        post(.authorization, self[place].id, at: place) { payment, route in
            Bookkeeping.authorization(approved, of: payment, on: route)
        }
        releaseIfCalledOff(approved, at: place)
    }

    /// An approval that is heard of only after the void that undid it was never held by the time we heard.
    private mutating func releaseIfCalledOff(_ approved: Int64, at place: Place) {
        guard let void = attempt(at: place).all(.void).first(where: { $0.state == .succeeded }) else { return }
        change(void.id) { $0.doneAmount = approved }
        post(.release, void.id, at: place) { payment, route in
            Bookkeeping.release(approved, of: payment, on: route)
        }
    }

    /// Takes `amount` and ends a hold of `held`, which is less if the PSP had said that it let go of it.
    private mutating func capture(_ amount: Int64, held: Int64, at place: Place) {
        self[place].doneAmount = amount
        let captured = order.payments[place.payment].captured
        let changes = order.payments[place.payment].allocation.capture(upTo: captured)
        post(.capture, self[place].id, at: place) { payment, route in
            Bookkeeping.capture(changes, held: held, of: payment, on: route)
        }
    }

    private mutating func release(_ held: Int64, at place: Place) {
        self[place].doneAmount = held
        post(.release, self[place].id, at: place) { payment, route in
            Bookkeeping.release(held, of: payment, on: route)
        }
        closeUnfinishedAuthorization(at: place)
    }

    /// A void of what the buyer never finished ends the authorization.
    private mutating func closeUnfinishedAuthorization(at place: Place) {
        let authorization = attempt(at: place).authorization
        guard authorization.isOpen else { return }
        let decline = Decline(
            code: "canceled",
            category: .actionExpired,
            message: "The buyer's step was called off before it was done."
        )
        guard let closed = find(authorization.id) else { return }
        self[closed].state = .declined(decline)
        self[closed].dueAt = nil
        self[closed].leasedBy = nil
        calm(authorization.id)
        tell(authorization.state, self[closed].state, at: closed)
    }

    private mutating func refund(_ amount: Int64, at place: Place) {
        self[place].doneAmount = amount
        let refunded = order.payments[place.payment].refunded
        let changes = order.payments[place.payment].allocation.refund(upTo: refunded)
        post(.refund, self[place].id, at: place) { payment, route in
            Bookkeeping.refund(changes, of: payment, on: route)
        }
    }

    /// Writes down what the PSP did without being asked, as an operation that succeeded.
    mutating func addPSPOperation(_ kind: Operation.Kind, amount: Int64, at place: Place) {
        guard amount > 0 else { return }
        let held = attempt(at: place).held
        var operation = Operation(id: ids.make(at: now), kind: kind, amount: amount, origin: .psp, createdAt: now)
        operation.repliedAt = now
        operation.state = .succeeded
        changeAttempt(at: place) { $0.operations.append(operation) }
        let count = attempt(at: place).operations.count
        let added = Place(payment: place.payment, attempt: place.attempt, operation: count - 1)
        note(.succeeded(Success(reference: nil, amount: amount)), of: operation)
        if kind == .capture { capture(amount, held: held, at: added) } else { release(held, at: added) }
        emit(
            kind == .capture ? "payment.captured_by_psp" : "payment.released_by_psp",
            of: order.payments[place.payment].id,
            operation: operation.id,
            details: [.init("amount", .integer(amount))]
        )
    }

    private mutating func post(
        _ kind: JournalEntry.Kind,
        _ operation: OperationID,
        at place: Place,
        _ postings: (Payment, FrozenRoute) -> [Posting]
    ) {
        let payment = order.payments[place.payment]
        let made = postings(payment, payment.attempts[place.attempt].route)
        guard !made.isEmpty else { return }
        record.entries.append(
            JournalEntry(
                id: ids.make(at: now),
                kind: kind,
                payment: payment.id,
                operation: operation,
                at: now,
                postings: made
            )
        )
    }
}
