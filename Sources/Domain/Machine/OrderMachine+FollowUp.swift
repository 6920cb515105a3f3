extension OrderMachine {
    /// Starts what the decision wants and nobody has started: captures, voids, refunds.
    ///
    /// One at a time per attempt.
    mutating func startWhatIsWanted() {
        for payment in order.payments {
            for attempt in payment.attempts where attempt.openOperations.isEmpty {
                if let wish = wanted(of: attempt, in: payment) { pursue(wish, in: attempt, of: payment) }
            }
        }
    }

    /// Calls off what the buyer did not finish in time.
    mutating func expireActions() {
        for payment in order.payments {
            let authorization = payment.attempt.authorization
            guard case .actionRequired(let action) = authorization.state, let expiry = action.expiresAt,
                expiry <= now, payment.attempt.openOperations.isEmpty
            else { continue }
            if payment.attempt.all(.void).isEmpty {
                emit("payment.action_expired", of: payment.id, operation: authorization.id)
            }
            if let wish = undo(payment.attempt, in: payment) { pursue(wish, in: payment.attempt, of: payment) }
        }
    }

    /// Releases what may be held of an authorization in doubt that nobody wants any more.
    ///
    /// Until the PSP has had its say: if it refuses, only its own word or a person can tell. What it refuses because we
    /// asked wrongly is asked again after a pause.
    mutating func undoDoubt(at place: Place) {
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        guard case .unknown = attempt.authorization.state, attempt.captured == 0, attempt.openOperations.isEmpty,
            attempt.all(.void).allSatisfy(\.isRefusedAsMistaken),
            attempt.id != payment.attempt.id || goal(of: payment) == .release
        else { return }
        pursue(Wish(kind: .void, amount: attempt.authorization.amount), in: attempt, of: payment)
    }

    /// When the order wants to look at the clock again; nil if it waits for nothing but replies.
    package var wakeAt: Timestamp? {
        let actions = order.payments.compactMap { payment -> Timestamp? in
            guard case .actionRequired(let action) = payment.attempt.authorization.state,
                payment.attempt.openOperations.isEmpty
            else { return nil }
            return action.expiresAt
        }
        let decision: Timestamp? =
            switch order.decision.state {
            case .pending: cutoff
            case .cleared: order.decision.at?.adding(milliseconds: rules.graceMilliseconds)
            case .refused, .canceled:
                order.isAnswered ? nil : order.decision.at?.adding(milliseconds: rules.graceMilliseconds)
            case .accepted: expiryWarningAt
            }
        return (actions + [decision, nextLapseAt].compactMap(\.self)).min()
    }

    private enum Goal {
        case keep
        case capture
        case release
    }

    private func goal(of payment: Payment) -> Goal {
        switch order.decision.state {
        case .pending: .keep
        case .refused, .canceled: .release
        case .cleared: counted(payment)
        case .accepted: isCompensating ? .release : counted(payment)
        }
    }

    private func counted(_ payment: Payment) -> Goal {
        guard order.decision.countsOn.contains(payment.id) else { return .release }
        return order.terms.capture == .automatic ? .capture : .keep
    }

    /// Whether a capture that failed after acceptance undoes the order's other payments.
    ///
    /// The attention item keeps it so if that capture turns out to have succeeded after all.
    var isCompensating: Bool {
        order.terms.onCaptureFailure == .compensate
            && (order.attention.contains { $0.reason == .captureFailed }
                || order.payments.contains { order.counts($0) && $0.state == .captureFailed })
    }

    func wanted(of attempt: Attempt, in payment: Payment) -> Wish? {
        if attempt.isPartialApproval, attempt.held > 0 { return undo(attempt, in: payment) }
        guard attempt.id == payment.attempt.id else { return undo(attempt, in: payment) }
        switch goal(of: payment) {
        case .release: return undo(attempt, in: payment)
        case .keep, .capture:
            if hasLapsed(attempt) { return release(attempt) }
            let isUntouched = attempt.all(.capture).allSatisfy { $0.isImplied(after: attempt.authorization) }
            guard goal(of: payment) == .capture, attempt.held > 0, isUntouched else { return nil }
            return Wish(kind: .capture, amount: attempt.held)
        }
    }

    /// What gives back whatever the attempt has: a void, else a refund; a cancel if the buyer never finished.
    private func undo(_ attempt: Attempt, in payment: Payment) -> Wish? {
        if attempt.held > 0 { return release(attempt) }
        let net = payment.refundable(of: attempt)
        if net > 0 { return giveBack(net, of: attempt) }
        guard !attempt.isApproved, case .actionRequired = attempt.authorization.state else { return nil }
        return Wish(kind: .void, amount: attempt.authorization.amount)
    }

    private func release(_ attempt: Attempt) -> Wish { Wish(kind: .void, amount: attempt.held) }

    /// A refund; if the PSP says the capture has not settled, a void of the whole capture, else a later refund.
    private func giveBack(_ net: Int64, of attempt: Attempt) -> Wish {
        let isUnsettled = attempt.all(.refund).last?.isRefusedAsUnsettled ?? false
        if isUnsettled, net == attempt.captured, attempt.all(.reverse).isEmpty {
            return Wish(kind: .reverse, amount: net)
        }
        return Wish(kind: .refund, amount: net)
    }

    /// Writes an operation down, leased to this instance unless it has to wait.
    mutating func start(_ wish: Wish, in attempt: Attempt, of payment: Payment) {
        guard let place = find(attempt.authorization.id) else { return }
        var operation = Operation(
            id: ids.make(at: now),
            kind: wish.kind,
            amount: wish.amount,
            origin: .gateway,
            createdAt: now,
            refund: wish.refund,
            isFinal: wish.isFinal
        )
        if attempt.route.takesApplicationFee { operation.commission = order.commission(of: operation, in: payment) }
        if wish.delayMilliseconds == 0 {
            lease(&operation)
        } else {
            operation.dueAt = now.adding(milliseconds: wish.delayMilliseconds)
        }
        changeAttempt(at: place) { $0.operations.append(operation) }
        var details: [OrderEvent.Detail] = [
            .init("amount", .integer(wish.amount)), .init("decision", .text(order.decision.state.rawValue)),
        ]
        if let refund = wish.refund { details.append(.init("refund", .text(refund.text))) }
        emit("payment.\(wish.kind.rawValue)_started", of: payment.id, operation: operation.id, details: details)
    }
}

extension Operation {
    /// Whether the PSP refused it for our own mistake, such as a key that has expired.
    fileprivate var isRefusedAsMistaken: Bool {
        if case .rejected(let rejection) = state { rejection.reason == .configuration } else { false }
    }
}
