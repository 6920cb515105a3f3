extension OrderMachine {
    /// Hears of a dispute; each of a PSP's is kept once, in the state that outranks the others heard of.
    ///
    /// One that an operator entered without the PSP's name for it is the first that the PSP names with that amount.
    mutating func hear(
        _ news: DisputeNotice,
        _ subject: Notice.Subject,
        at time: Timestamp?,
        saidBy origin: Operation.Origin = .psp,
        _ place: Place
    ) -> Bool {
        let prior = order.payments[place.payment]
        let attempt = attempt(at: place).id
        let reference = subject.object ?? ""
        let amount = Self.bounded(news.amount)
        let known =
            PlantedBug.disputeKeptTwice.isPlanted ? nil : index(of: reference, amount, of: attempt, in: prior)
        if let known {
            fillGaps(from: news, of: known, at: place.payment, saidBy: origin)
            order.payments[place.payment].disputes[known].reference = reference
            if prior.disputes[known].givesWay(to: news, at: time, saidBy: origin) {
                order.payments[place.payment].disputes[known].state = news.state
                order.payments[place.payment].disputes[known].amount = amount
                order.payments[place.payment].disputes[known].stateAt = time
                order.payments[place.payment].disputes[known].saidBy = origin
                if let fee = news.fee { order.payments[place.payment].disputes[known].fee = Self.bounded(fee) }
            }
        } else {
            order.payments[place.payment].disputes.append(
                Dispute(
                    id: ids.make(at: now),
                    attempt: attempt,
                    reference: reference,
                    heardAt: now,
                    state: news.state,
                    amount: amount,
                    reason: news.reason,
                    respondBy: news.respondBy,
                    stateAt: time,
                    saidBy: origin,
                    fee: news.fee.map(Self.bounded) ?? 0
                )
            )
        }
        let index = known ?? order.payments[place.payment].disputes.count - 1
        postAndEmit(
            order.payments[place.payment].disputes[index],
            from: known.map { prior.disputes[$0].state },
            prior,
            at: place
        )
        return true
    }

    private func index(of reference: String, _ amount: Int64, of attempt: AttemptID, in payment: Payment) -> Int? {
        payment.disputes.firstIndex { $0.attempt == attempt && $0.reference == reference }
            ?? payment.disputes.firstIndex { $0.attempt == attempt && $0.isUnnamed(asTo: amount) }
    }

    /// What the opening says of reason and deadline stands; what only another notice says fills the gap, and so does the
    /// first that says what the PSP takes for it, unless an operator says so.
    private mutating func fillGaps(
        from news: DisputeNotice,
        of index: Int,
        at payment: Int,
        saidBy origin: Operation.Origin
    ) {
        var dispute = order.payments[payment].disputes[index]
        let isOpening = news.state == .opened
        dispute.reason = isOpening ? news.reason ?? dispute.reason : dispute.reason ?? news.reason
        dispute.respondBy = isOpening ? news.respondBy ?? dispute.respondBy : dispute.respondBy ?? news.respondBy
        if let fee = news.fee, dispute.fee == 0 || origin == .operator { dispute.fee = Self.bounded(fee) }
        order.payments[payment].disputes[index] = dispute
    }

    private mutating func postAndEmit(
        _ dispute: Dispute,
        from state: DisputeNotice.State?,
        _ prior: Payment,
        at place: Place
    ) {
        let change = order.payments[place.payment].chargedBack - prior.chargedBack
        post(change > 0 ? .chargeback : .chargebackReversal, nil, dispute: dispute.id, since: prior, at: place)
        post(feeOf: dispute.id, since: prior, at: place)
        if dispute.state != state {
            var details: [OrderEvent.Detail] = [
                .init("dispute", .text(dispute.id.text)), .init("amount", .integer(dispute.amount)),
            ]
            if let reason = dispute.reason { details.append(.init("reason", .text(reason))) }
            if let respondBy = dispute.respondBy { details.append(.init("respond_by", .text(respondBy.description))) }
            emit("dispute." + dispute.state.rawValue, of: prior.id, details: details)
        }
        refreshAttention(at: place)
        clearCompensationAttention(at: place)
    }
}
