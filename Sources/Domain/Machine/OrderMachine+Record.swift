extension OrderMachine {
    /// Hears from an operator what a PSP did without telling us; it is posted like the PSP's own word.
    ///
    /// What is known already under the PSP's name for it changes nothing.
    ///
    /// - Parameters:
    ///   - record: what the PSP did.
    ///   - evidence: where the operator has it from.
    ///   - ability: what the PSP of a route does.
    /// - Throws: ``RequestRefusal`` if it cannot be so by what is known; then nothing is changed.
    package mutating func record(
        _ record: OperatorRecord,
        _ evidence: OrderRequest.Evidence,
        ability: (RouteSnapshot) -> CaptureAbility = { _ in CaptureAbility(partial: false, multiple: false) }
    ) throws(RequestRefusal) {
        let payment = try payment(record.payment)
        guard record.deed.amount ?? 1 > 0, record.deed.amount ?? 1 == Self.bounded(record.deed.amount ?? 1) else {
            throw RequestRefusal(.invalidAmount, "An amount is above zero.", payment: payment.id)
        }
        guard let attempt = try subject(of: record, in: payment), let place = find(attempt.authorization.id) else {
            return
        }
        let before = order.status
        emitRecord(of: record, evidence)
        switch record.deed {
        case .capture(let amount, let isFinal): add(.capture, amount, record.reference, isFinal: isFinal, at: place)
        case .void: add(.void, attempt.held, record.reference, at: place)
        case .refund(let amount):
            let commission: Int64? = ability(attempt.route).keepsCommission ? 0 : nil
            add(.refund, amount, record.reference, commission: commission, at: place)
        case .dispute(let news):
            _ = hear(news, Notice.Subject(object: record.reference), at: now, saidBy: .operator, place)
        }
        decideAndFollowUp(from: before)
    }

    private mutating func add(
        _ kind: Operation.Kind,
        _ amount: Int64,
        _ reference: String?,
        commission: Int64? = nil,
        isFinal: Bool = true,
        at place: Place
    ) {
        addPSPOperation(
            kind,
            amount: amount,
            reference: reference,
            commission: commission,
            isFinal: isFinal,
            saidBy: .operator,
            at: place
        )
    }

    private mutating func emitRecord(of record: OperatorRecord, _ evidence: OrderRequest.Evidence) {
        var details: [OrderEvent.Detail] = [.init("deed", .text(record.deed.name))]
        if let amount = record.deed.amount { details.append(.init("amount", .integer(amount))) }
        if case .dispute(let news) = record.deed {
            details.append(.init("state", .text(news.state.rawValue)))
            if let fee = news.fee { details.append(.init("fee", .integer(fee))) }
        }
        if let reference = record.reference { details.append(.init("psp_reference", .text(reference))) }
        emit("payment.recorded", of: record.payment, details: details + evidence.details)
    }

    /// The attempt that a record is about; nil if all of it is known already.
    private func subject(of record: OperatorRecord, in payment: Payment) throws(RequestRefusal) -> Attempt? {
        switch record.deed {
        case .capture(let amount, isFinal: _):
            if try isKnown(.capture, amount, record, in: payment) { return nil }
            return try held(amount, of: payment)
        case .void:
            if try isKnown(.void, nil, record, in: payment) { return nil }
            return try held(nil, of: payment)
        case .refund(let amount):
            if try isKnown(.refund, amount, record, in: payment) { return nil }
            return try refundable(amount, of: payment)
        case .dispute(let news): return try disputable(news, record, in: payment)
        }
    }

    /// Whether an operation of that kind is known under the PSP's name for it, with the same amount.
    private func isKnown(
        _ kind: Operation.Kind,
        _ amount: Int64?,
        _ record: OperatorRecord,
        in payment: Payment
    ) throws(RequestRefusal) -> Bool {
        guard let reference = record.reference else { return false }
        let known = payment.attempts.flatMap(\.operations).first {
            $0.reference == reference && ($0.kind == kind || (kind == .refund && $0.kind == .reverse))
        }
        guard let known else { return false }
        guard known.state == .succeeded, amount == nil || known.doneAmount == amount else {
            let text = known.state == .succeeded ? "with \(known.doneAmount)" : "and \(known.state.name)"
            throw RequestRefusal(
                .referenceKnown,
                "\(reference) is known as \(known.id.text), \(text); what became of an operation is said with resolve.",
                payment: payment.id
            )
        }
        return true
    }

    /// The attempt that holds an amount which nothing on its way claims; all that it holds if none is named.
    ///
    /// A capture is the sale's. What is released is a second authorization's first: that the PSP would not let go of it is what a
    /// person was told of.
    private func held(_ amount: Int64?, of payment: Payment) throws(RequestRefusal) -> Attempt {
        let attempts = amount == nil ? payment.attempts.reversed() : payment.attemptsBySale
        guard let attempt = attempts.first(where: { $0.held > 0 }) else {
            throw RequestRefusal(.nothingHeld, "Nothing of it is held.", payment: payment.id, available: 0)
        }
        if let open = attempt.openOperations.first(where: { $0.kind == .capture || $0.kind == .void }) {
            throw RequestRefusal(
                open.kind == .capture ? .captureInProgress : .releaseInProgress,
                "\(open.id.text) is under way: say what became of it with resolve.",
                payment: payment.id
            )
        }
        guard amount ?? 0 <= attempt.held else {
            throw RequestRefusal(
                .captureExceedsAuthorized,
                "\(attempt.held) of the authorized amount is held.",
                payment: payment.id,
                available: attempt.held
            )
        }
        return attempt
    }

    /// The attempt of which an amount can have been given back.
    private func refundable(_ amount: Int64, of payment: Payment) throws(RequestRefusal) -> Attempt {
        let most = payment.attempts.map { payment.refundable(of: $0) }.max() ?? 0
        guard let attempt = payment.attempts.last(where: { payment.refundable(of: $0) >= amount }) else {
            throw RequestRefusal(
                .refundExceedsCaptured,
                "\(most) is captured and neither given back, on its way back nor charged back.",
                payment: payment.id,
                available: most
            )
        }
        return attempt
    }

    /// The attempt whose money is disputed.
    private func disputable(
        _ news: DisputeNotice,
        _ record: OperatorRecord,
        in payment: Payment
    ) throws(RequestRefusal) -> Attempt? {
        let reference = record.reference ?? ""
        let known =
            payment.disputes.first { $0.reference == reference }
            ?? payment.disputes.first { $0.isUnnamed(asTo: news.amount) }
        if let known, record.reference == nil, news.state == .opened, known.amount != news.amount {
            throw RequestRefusal(
                .referenceRequired,
                "A dispute of \(known.amount) has no name, and of \(news.amount) there may be another: give the PSP's name.",
                payment: payment.id
            )
        }
        if known == nil, record.reference == nil, payment.disputes.contains(where: { $0.amount == news.amount }) {
            throw RequestRefusal(
                .referenceRequired,
                "The PSP has named a dispute of \(news.amount): give the name of the one that is meant.",
                payment: payment.id
            )
        }
        if let known {
            let isSame = known.state == news.state && known.amount == news.amount && known.reference == reference
            if isSame, news.fee == nil || news.fee == known.fee { return nil }
            guard news.state != .opened || known.state == .opened else {
                throw RequestRefusal(
                    .disputeDecided,
                    "The dispute is \(known.state.rawValue) already.",
                    payment: payment.id
                )
            }
        }
        let others = payment.disputes.reduce(0) { $0 + ($1.id == known?.id ? 0 : $1.chargedBack) }
        let most = max(0, payment.captured - others)
        let attempt = payment.attempts.last { known == nil ? $0.captured > 0 : $0.id == known?.attempt }
        guard let attempt, news.amount <= most else {
            throw RequestRefusal(
                .disputeExceedsCaptured,
                "\(most) is captured and not charged back.",
                payment: payment.id,
                available: most
            )
        }
        return attempt
    }

    /// Has what the PSP says of a capture or a refund take the place of the more that an operator entered of it, and tells a person.
    ///
    /// Once: a PSP that says still less of it later is for a person alone.
    mutating func correctEntry(_ success: Success, at place: Place) {
        let entry = self[place]
        guard entry.origin == .operator, entry.kind == .capture || entry.kind == .refund, entry.state == .succeeded,
            success.amount > 0, success.amount < entry.doneAmount
        else { return }
        if entry.doneAmount == entry.amount { name(success, at: place) }
        raise(.amountMismatch, entry, at: place, amountAtRisk: entry.doneAmount - success.amount)
    }
}
