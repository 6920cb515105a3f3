extension OrderMachine {
    /// Tells a person once of something about an operation.
    mutating func raise(
        _ reason: Attention.Reason,
        _ operation: Operation,
        at place: Place,
        amountAtRisk: Int64,
        webhook: WebhookID? = nil
    ) {
        let payment = order.payments[place.payment].id
        // Each try to undo an attempt is an operation of its own; that they are refused is one thing to look at.
        let isOneThing = reason == .compensationRefused
        let same = isOneThing ? Set(attempt(at: place).operations.map(\.id)) : [operation.id]
        let isRaised = order.attention.contains { $0.reason == reason && same.contains($0.operation) }
        guard !isRaised, !PlantedBug.attentionUnraised.isPlanted || reason != .captureFailed,
            !PlantedBug.doubtUnraised.isPlanted || reason != .unknownOutcome
        else { return }
        let item = Attention(
            payment: payment,
            operation: operation.id,
            reason: reason,
            amountAtRisk: amountAtRisk,
            since: now,
            webhook: webhook
        )
        order.attention.insert(item, at: order.attention.firstIndex { item < $0 } ?? order.attention.endIndex)
        var details: [OrderEvent.Detail] = [
            .init("reason", .text(reason.rawValue)), .init("amount_at_risk", .integer(amountAtRisk)),
        ]
        if let webhook { details.append(.init("webhook", .text(webhook.text))) }
        emit("order.attention_required", of: payment, operation: operation.id, details: details)
    }

    /// Tells a person of an operation of which nobody has known for long what became of it.
    mutating func raiseDoubt(at place: Place) {
        let operation = self[place]
        let since = operation.firstSentAt ?? operation.createdAt
        guard now.milliseconds(since: since) >= rules.attentionAfterMilliseconds else { return }
        raise(.unknownOutcome, operation, at: place, amountAtRisk: operation.amount)
    }

    /// Keeps what a person is told of an attempt's amounts in step with them: these items are a pure function of what
    /// is known, so that they come and go with it.
    mutating func refreshAttention(at place: Place) {
        withdrawExcess(at: place)
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        let authorization = attempt.authorization
        // A refund of what nobody told us was captured: how much was, the PSP has not said.
        let untold = attempt.impliedCapture?.doneAmount ?? 0
        upsertAttention(
            .overRefunded,
            authorization,
            at: place,
            amountAtRisk: max(payment.unexplainedOverrun(of: attempt), untold)
        )
        let captures = attempt.operations.reduce(Int64(0)) { sum, operation in
            guard operation.kind == .capture, !operation.isImplied(after: authorization) else { return sum }
            return sum + (operation.isOpen ? operation.amount : operation.doneAmount)
        }
        // A release of ours that was done after all may meet a capture of what it left.
        let isReleased = attempt.operations.contains {
            $0.kind == .void && $0.origin == .gateway && $0.state == .succeeded
        }
        upsertAttention(
            .overCaptured,
            authorization,
            at: place,
            amountAtRisk: captures + (isReleased ? attempt.released : 0) - authorization.doneOrAsked
        )
    }

    /// Keeps what a person is told of refunds that did not reach the buyer in step with what is known.
    mutating func refreshRefundAttention() {
        for payment in order.payments {
            for attempt in payment.attempts {
                // Each try to undo is an operation of its own; that they come to nothing is one thing to look at.
                var isUndoingTold = false
                for operation in attempt.operations where operation.givesBack {
                    guard let place = find(operation.id), keepsAttention(operation) else { continue }
                    let isMissing = attempt.net > 0 && Self.hasFailed(operation, in: attempt)
                    let isUndoing = operation.refund == nil && operation.origin == .gateway
                    let isNew = isMissing && !(isUndoing && isUndoingTold)
                    isUndoingTold = isUndoingTold || (isUndoing && isMissing)
                    upsertAttention(.refundFailed, operation, at: place, amountAtRisk: isNew ? operation.amount : 0)
                    guard operation.state != .succeeded else { continue }
                    order.attention.removeAll { $0.operation == operation.id && $0.reason == .captureVoided }
                }
            }
        }
    }

    /// Whether an item about a refund has to be kept in step: of a refusal a person is told only if nobody waited for it.
    private func keepsAttention(_ operation: Operation) -> Bool {
        guard operation.state.isRefusal else { return true }
        return order.attention.contains { $0.operation == operation.id && $0.reason == .refundFailed }
    }

    /// Whether a refund failed after all, or was refused to whoever asked for it and is not tried again.
    ///
    /// One that was asked for later and gave back as much makes up for a refusal.
    private static func hasFailed(_ operation: Operation, in attempt: Attempt) -> Bool {
        if case .reversed = operation.state {
            return !operation.isWithdrawn && (operation.kind == .refund || operation.origin != .psp)
        }
        guard let refund = operation.refund, operation.state.isRefusal, operation.leases > 0,
            attempt.operations.last(where: { $0.refund == refund })?.id == operation.id
        else { return false }
        let later = attempt.operations.reversed().prefix { $0.id != operation.id }
        return later.reduce(0) { $0 + ($1.refund == nil ? 0 : $1.doneAmount) } < operation.amount
    }

    /// Raises an item, keeps its amount in step, or takes it back if nothing is at risk.
    mutating func upsertAttention(
        _ reason: Attention.Reason,
        _ operation: Operation,
        at place: Place,
        amountAtRisk: Int64
    ) {
        let index = order.attention.firstIndex { $0.reason == reason && $0.operation == operation.id }
        guard amountAtRisk > 0 else {
            if let index { order.attention.remove(at: index) }
            return
        }
        guard let index else { return raise(reason, operation, at: place, amountAtRisk: amountAtRisk) }
        let known = order.attention[index]
        order.attention[index] = Attention(
            payment: known.payment,
            operation: known.operation,
            reason: reason,
            amountAtRisk: amountAtRisk,
            since: known.since
        )
    }

    /// Takes back refunds that were never sent if what became known leaves nothing for them to give back.
    private mutating func withdrawExcess(at place: Place) {
        while true {
            let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
            let isOver = payment.overrun(of: attempt) > 0
            let unsent = attempt.operations.last {
                $0.givesBack && $0.isOpen && !$0.wasSent && (isOver || Self.isRedundant($0, in: attempt))
            }
            guard let unsent else { return }
            withdraw(unsent: unsent, because: Self.nothingLeft)
        }
    }

    /// Why a refund is taken back that was never sent.
    static let nothingLeft = "nothing is left to give back"

    /// Takes back an operation of which nothing was sent under its present key.
    mutating func withdraw(unsent operation: Operation, because reason: String) {
        guard let place = find(operation.id) else { return }
        recordFact(.notSent(reason: reason), of: operation, saidBy: .gateway)
        self[place].state = .notSent(reason: reason)
        self[place].dueAt = nil
        self[place].repliedAt = now
        clearAttention(of: operation.id)
        emitTransition(from: operation.state, to: self[place].state, at: place)
    }

    /// Whether an earlier try of the same refund gave back what this one is to give back.
    private static func isRedundant(_ operation: Operation, in attempt: Attempt) -> Bool {
        guard let refund = operation.refund, let first = attempt.operations.first(where: { $0.refund == refund }) else {
            return false
        }
        return attempt.refunded { $0.refund == refund } + operation.amount > first.amount
    }

    /// An operation is definite now: what we were unsure of needs nobody any more.
    mutating func clearAttention(of operation: OperationID) {
        order.attention.removeAll {
            $0.operation == operation && ($0.reason == .unknownOutcome || $0.reason == .overdue)
        }
    }

    /// Nothing is left to release or give back: the refusals on the way need nobody any more.
    mutating func clearCompensationAttention(at place: Place) {
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        if order.terms.onCaptureFailure == .attention, payment.state == .captured, attempt.failedCaptures.isEmpty {
            let over = Set(attempt.operations.filter { $0.kind == .capture && !$0.state.isReversed }.map(\.id))
            order.attention.removeAll { $0.reason == .captureFailed && over.contains($0.operation) }
        }
        clearRefusedCompensation(at: place)
    }

    /// Drops what a person was told of refused releases and refunds once nothing is left to give back.
    mutating func clearRefusedCompensation(at place: Place) {
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        let isWanted = order.counts(payment) && attempt.id == payment.attempt.id && !isCompensating
        let isEven = isWanted || (payment.refundable(of: attempt) == 0 && attempt.openRefunds == 0)
        let isOver = !attempt.authorization.isOpen || (attempt.isApproved && !attempt.isApprovedInPart)
        guard isOver, attempt.held == 0, isEven else { return }
        // What makes up for a refund that somebody asked for and the PSP keeps refusing is that all is given back.
        let isAllBack = attempt.net == 0 && attempt.openRefunds == 0
        let undone = Set(attempt.operations.filter { $0.refund == nil || !$0.state.isRefusal || isAllBack }.map(\.id))
        order.attention.removeAll { undone.contains($0.operation) && $0.reason == .compensationRefused }
    }
}

extension OrderMachine {
    /// Keeps one item for the webhooks about the order that were not told to it, as long as there is one.
    ///
    /// - Parameters:
    ///   - webhook: the oldest of them; nil if there is none any more.
    ///   - attempt: the attempt it is about, if that is known.
    ///   - amount: the greatest amount it speaks of, in minor units of the order's currency.
    mutating func refreshWebhookAttention(
        oldest webhook: WebhookID?,
        about attempt: AttemptID?,
        amountAtRisk amount: Int64
    ) {
        let index = order.attention.firstIndex { $0.reason == .webhookProblem }
        guard let webhook else {
            if let index { order.attention.remove(at: index) }
            return
        }
        if let index {
            let known = order.attention[index]
            order.attention[index] = Attention(
                payment: known.payment,
                operation: known.operation,
                reason: known.reason,
                amountAtRisk: known.webhook == webhook ? known.amountAtRisk : Self.bounded(amount),
                since: known.since,
                webhook: webhook
            )
            return
        }
        let attempts = order.payments.flatMap(\.attempts)
        guard let about = attempts.first(where: { $0.id == attempt }) ?? attempts.first,
            let place = find(about.authorization.id)
        else { return }
        raise(.webhookProblem, self[place], at: place, amountAtRisk: Self.bounded(amount), webhook: webhook)
    }

    /// Writes down that an operator has seen to a webhook that was not told to the order.
    mutating func emitDismissal(of webhook: WebhookID, _ evidence: OrderRequest.Evidence) {
        emit("order.webhook_dismissed", details: [.init("webhook", .text(webhook.text))] + evidence.details)
    }
}
