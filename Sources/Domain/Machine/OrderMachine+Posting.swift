extension OrderMachine {
    /// Draws the allocation of a payment to what is captured and given back now, and posts the difference to `prior`.
    ///
    /// - Parameters:
    ///   - kind: what made the difference.
    ///   - operation: the operation that made it; nil for a dispute.
    ///   - dispute: the dispute that made it.
    ///   - prior: the payment as it was before.
    ///   - place: the payment and the attempt.
    mutating func post(
        _ kind: JournalEntry.Kind,
        _ operation: OperationID?,
        dispute: DisputeID? = nil,
        since prior: Payment,
        at place: Place
    ) {
        draw(place.payment, since: prior)
        let payment = order.payments[place.payment]
        let made = Bookkeeping.postings(
            from: Position(of: prior, attempt: place.attempt, in: order),
            to: Position(of: payment, attempt: place.attempt, in: order),
            of: payment,
            on: payment.attempts[place.attempt].route
        )
        guard kind == .authorization else { return enter(kind, operation, dispute, made, at: place) }
        let route = payment.attempts[place.attempt].route
        guard let late = releasedBefore(heldSince: prior, at: place) else {
            // Of what was taken before we heard of its approval nothing is held any more, but it was.
            let approved = attempt(at: place).authorization.doneAmount
            let passed = [approved, -approved].flatMap { Bookkeeping.hold($0, of: payment, on: route) }
            return enter(kind, operation, nil, made.isEmpty ? passed : made, at: place)
        }
        let approval = Bookkeeping.hold(late.doneAmount, of: payment, on: route)
        enter(kind, operation, nil, approval + made, at: place)
        enter(.release, late.id, nil, Bookkeeping.hold(-late.doneAmount, of: payment, on: route), at: place)
    }

    /// The void that released an approval of which we hear only now: both are effects of the PSP, and both are posted.
    private func releasedBefore(heldSince prior: Payment, at place: Place) -> Operation? {
        let known = prior.attempts[place.attempt].operations
        return attempt(at: place).operations.first { void in
            void.kind == .void && void.doneAmount > 0 && known.contains { $0.id == void.id && $0.doneAmount == 0 }
        }
    }

    private mutating func enter(
        _ kind: JournalEntry.Kind,
        _ operation: OperationID?,
        _ dispute: DisputeID?,
        _ postings: [Posting],
        at place: Place
    ) {
        guard !postings.isEmpty else { return }
        record.entries.append(
            JournalEntry(
                id: ids.make(at: now),
                kind: kind,
                merchant: order.payments[place.payment].merchant,
                payment: order.payments[place.payment].id,
                operation: operation,
                dispute: dispute,
                payout: nil,
                at: now,
                postings: postings
            )
        )
    }

    private mutating func draw(_ index: Int, since prior: Payment) {
        let payment = order.payments[index]
        guard payment.captured != prior.captured || payment.refunded != prior.refunded else { return }
        let sold = payment.attempts.reduce(0) { sum, attempt in
            sum + attempt.refunded { order.givesBackSale($0, of: payment) }
        }
        _ = order.payments[index].allocation.capture(upTo: payment.captured)
        _ = order.payments[index].allocation.refund(upTo: payment.refunded, ofWhichSold: min(sold, payment.refunded))
    }

    /// Writes down what the PSP did without being asked, as an operation that succeeded.
    ///
    /// - Parameters:
    ///   - kind: what it did.
    ///   - amount: the amount to keep.
    ///   - done: what we take it to have acted on, if that is less.
    ///   - stated: the amount that the PSP named, if it is another one.
    ///   - reference: the PSP's name for it; nil if we conclude it from an answer.
    ///   - isFinal: for a capture, whether it released the rest of the hold.
    ///   - place: the attempt.
    mutating func addPSPOperation(
        _ kind: Operation.Kind,
        amount: Int64,
        done: Int64? = nil,
        stated: Int64? = nil,
        reference: String? = nil,
        isFinal: Bool = true,
        at place: Place
    ) {
        guard amount > 0 else { return }
        if kind == .void { approveWhatIsReleased(at: place) }
        let prior = order.payments[place.payment]
        var operation = Operation(
            id: ids.make(at: now),
            kind: kind,
            amount: amount,
            origin: .psp,
            createdAt: now,
            isFinal: isFinal
        )
        operation.reference = reference
        operation.repliedAt = now
        operation.state = .succeeded
        operation.doneAmount = kind == .void ? 0 : min(amount, done ?? amount)
        // Of what it takes, the PSP keeps the commission that it was told with the authorization.
        if kind == .capture, attempt(at: place).route.takesApplicationFee {
            operation.commission = order.commissionTold(forCaptureOf: amount, in: prior)
        }
        changeAttempt(at: place) { $0.operations.append(operation) }
        if kind == .void { closeUnfinishedAuthorization(at: place) }
        changeAttempt(at: place) { $0.weighVoids() }
        note(.succeeded(Success(reference: reference, amount: stated ?? done ?? amount)), of: operation, saidBy: .psp)
        let entry: JournalEntry.Kind =
            switch kind {
            case .authorize: .authorization
            case .capture: .capture
            case .void: .release
            case .refund, .reverse: .refund
            }
        post(entry, operation.id, since: prior, at: place)
        emit(
            Self.word(forOwn: kind),
            of: order.payments[place.payment].id,
            operation: operation.id,
            details: [.init("amount", .integer(done ?? amount))]
        )
        review(at: place)
        calmCompensation(at: place)
    }

    private static func word(forOwn kind: Operation.Kind) -> String {
        switch kind {
        case .authorize, .capture: "payment.captured_by_psp"
        case .void: "payment.released_by_psp"
        case .refund, .reverse: "payment.refunded_by_psp"
        }
    }
}
