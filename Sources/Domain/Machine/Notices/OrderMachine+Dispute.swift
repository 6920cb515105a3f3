extension OrderMachine {
    /// Hears of a dispute; each of a PSP's is kept once, in the state that outranks the others heard of.
    mutating func hear(
        _ news: DisputeNotice,
        _ subject: Notice.Subject,
        at time: Timestamp?,
        _ place: Place
    ) -> Bool {
        let prior = order.payments[place.payment]
        let attempt = attempt(at: place).id
        let reference = subject.object ?? ""
        let known = prior.disputes.firstIndex { $0.attempt == attempt && $0.reference == reference }
        let amount = Self.bounded(news.amount)
        if let known {
            keep(news, of: known, at: place.payment)
            guard prior.disputes[known].givesWay(to: news, at: time) else { return true }
            order.payments[place.payment].disputes[known].state = news.state
            order.payments[place.payment].disputes[known].amount = amount
            order.payments[place.payment].disputes[known].stateAt = time
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
                    stateAt: time
                )
            )
        }
        let index = known ?? order.payments[place.payment].disputes.count - 1
        tell(
            order.payments[place.payment].disputes[index],
            from: known.map { prior.disputes[$0].state },
            prior,
            at: place
        )
        return true
    }

    /// What the opening says of reason and deadline stands; what only another notice says fills the gap.
    private mutating func keep(_ news: DisputeNotice, of index: Int, at payment: Int) {
        var dispute = order.payments[payment].disputes[index]
        let isOpening = news.state == .opened
        dispute.reason = isOpening ? news.reason ?? dispute.reason : dispute.reason ?? news.reason
        dispute.respondBy = isOpening ? news.respondBy ?? dispute.respondBy : dispute.respondBy ?? news.respondBy
        order.payments[payment].disputes[index] = dispute
    }

    private mutating func tell(
        _ dispute: Dispute,
        from state: DisputeNotice.State?,
        _ prior: Payment,
        at place: Place
    ) {
        let change = order.payments[place.payment].chargedBack - prior.chargedBack
        post(change > 0 ? .chargeback : .chargebackReversal, nil, dispute: dispute.id, since: prior, at: place)
        if dispute.state != state {
            var details: [OrderEvent.Detail] = [
                .init("dispute", .text(dispute.id.text)), .init("amount", .integer(dispute.amount)),
            ]
            if let reason = dispute.reason { details.append(.init("reason", .text(reason))) }
            if let respondBy = dispute.respondBy { details.append(.init("respond_by", .text(respondBy.description))) }
            emit("dispute." + dispute.state.rawValue, of: prior.id, details: details)
        }
        review(at: place)
        calmCompensation(at: place)
    }
}
