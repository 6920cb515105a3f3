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
        let disputed = Self.bounded(news.disputed ?? news.amount)
        let known =
            PlantedBug.disputeKeptTwice.isPlanted ? nil : index(of: reference, disputed, of: attempt, in: prior)
        if let known {
            fillGaps(from: news, of: known, at: place.payment, saidBy: origin)
            order.payments[place.payment].disputes[known].reference = reference
            if prior.disputes[known].givesWay(to: news, at: time, saidBy: origin) {
                // Of what is won nothing moves any more: told of as less, it had taken more all the same.
                let least = news.state == .won ? prior.disputes[known].amount : 0
                order.payments[place.payment].disputes[known].state = news.state
                order.payments[place.payment].disputes[known].amount = max(amount, least)
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
            index,
            from: known.map { prior.disputes[$0] },
            atMost: disputed,
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
        _ index: Int,
        from known: Dispute?,
        atMost disputed: Int64,
        _ prior: Payment,
        at place: Place
    ) {
        let dispute = order.payments[place.payment].disputes[index]
        let taken = postTaking(of: index, from: known, atMost: disputed, prior, at: place)
        let change = order.payments[place.payment].chargedBack - taken.chargedBack
        post(change > 0 ? .chargeback : .chargebackReversal, nil, dispute: dispute.id, since: taken, at: place)
        post(feeOf: dispute.id, since: prior, at: place)
        if dispute.state != known?.state || dispute.chargedBack != known?.chargedBack {
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

    /// Posts what a dispute that is won, or first heard of when it is lost in part, had taken before, as far as nobody told
    /// of that: a PSP reports both, and each has an entry of its own.
    ///
    /// - Returns: the payment as of that entry; as it was before if nothing was posted.
    private mutating func postTaking(
        of index: Int,
        from known: Dispute?,
        atMost disputed: Int64,
        _ prior: Payment,
        at place: Place
    ) -> Payment {
        let dispute = order.payments[place.payment].disputes[index]
        let isLostInPart = known?.state ?? .opened == .opened && disputed > dispute.amount
        guard dispute.state == .won || isLostInPart else { return prior }
        let untold = (isLostInPart ? disputed : dispute.amount) - (known?.amount ?? 0)
        guard untold > 0 else { return prior }
        order.payments[place.payment].disputes[index].state = .opened
        order.payments[place.payment].disputes[index].amount = (known?.chargedBack ?? 0) + untold
        let taken = order.payments[place.payment]
        post(.chargeback, nil, dispute: dispute.id, since: prior, at: place)
        order.payments[place.payment].disputes[index] = dispute
        return taken
    }
}
