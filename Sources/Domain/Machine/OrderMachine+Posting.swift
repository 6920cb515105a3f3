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
            from: PaymentBalances(of: prior, attempt: place.attempt, in: order),
            to: PaymentBalances(of: payment, attempt: place.attempt, in: order),
            of: payment,
            on: payment.attempts[place.attempt].route
        )
        let route = payment.attempts[place.attempt].route
        let releases = releases(since: prior, besides: operation, at: place)
        let released = releases.flatMap { Bookkeeping.hold($0.doneAmount, of: payment, on: route) }
        var postings = released + made
        if postings.isEmpty { postings = passing(kind, operation, since: prior, at: place) }
        enter(kind, operation, dispute, postings, at: place)
        for void in releases {
            enter(.release, void.id, nil, Bookkeeping.hold(-void.doneAmount, of: payment, on: route), at: place)
        }
    }

    /// Posts who bears what a dispute costs, as far as that changed since `prior`.
    mutating func post(feeOf dispute: DisputeID, since prior: Payment, at place: Place) {
        let payment = order.payments[place.payment]
        let route = payment.attempts[place.attempt].route
        enter(.disputeFee, nil, dispute, Bookkeeping.disputeFees(from: prior, to: payment, on: route), at: place)
    }

    /// The voids besides `operation` that turn out to have released something: an effect of their own, which is posted
    /// as one, in whatever order it became known.
    private func releases(since prior: Payment, besides operation: OperationID?, at place: Place) -> [Operation] {
        let known = prior.attempts[place.attempt].operations
        return attempt(at: place).operations.filter { void in
            void.kind == .void && void.id != operation && void.doneAmount > 0
                && known.contains { $0.id == void.id && $0.doneAmount == 0 }
        }
    }

    /// What is posted of an effect that left nothing behind, because it was undone before it became known: there and
    /// back.
    private func passing(
        _ kind: JournalEntry.Kind,
        _ id: OperationID?,
        since prior: Payment,
        at place: Place
    ) -> [Posting] {
        let (payment, attempt) = (order.payments[place.payment], attempt(at: place))
        func held(_ amount: Int64) -> [Posting] {
            [amount, -amount].flatMap { Bookkeeping.hold($0, of: payment, on: attempt.route) }
        }
        let done = attempt.operations.first { $0.id == id }?.doneAmount ?? 0
        switch kind {
        case .authorization, .refund: return held(done)
        case .capture:
            var lines = prior.allocation
            let changes = lines.capture(upTo: prior.captured + done)
            let taken = Bookkeeping.settlement(changes, borne: 0, of: payment, on: attempt.route)
            return taken + taken.map(\.reversed)
        case .reversal:
            let known = prior.attempts[place.attempt].operations.first { $0.id == id }
            return held(known?.doneAmount ?? 0)
        default: return []
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
        for _ in 0..<(PlantedBug.postedTwice.isPlanted && kind == .capture ? 2 : 1) {
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
    }

    /// Has what somebody gave back in a PSP's portal before the order was accepted give back a sale now, of which lines may keep
    /// their share: the books say the same whichever was heard of first.
    mutating func redrawRefunds() {
        for index in order.payments.indices {
            let prior = order.payments[index]
            let refunds = prior.attempts.flatMap(\.operations).filter {
                $0.givesBack && $0.refund == nil && $0.doneAmount > 0 && order.givesBackSale($0, of: prior)
            }
            guard let last = refunds.last, let place = find(last.id) else { continue }
            draw(index)
            post(.correction, last.id, since: prior, at: place)
        }
    }

    private mutating func draw(_ index: Int, since prior: Payment) {
        let payment = order.payments[index]
        guard payment.captured != prior.captured || payment.refunded != prior.refunded else { return }
        draw(index)
    }

    private mutating func draw(_ index: Int) {
        let payment = order.payments[index]
        _ = order.payments[index].allocation.capture(upTo: payment.captured, keeping: payment.commissionKept)
        _ = order.payments[index].allocation.refund(
            upTo: payment.refunded,
            ofWhichSold: min(order.saleGivenBack(of: payment), payment.refunded),
            returning: order.commissionsReturned(of: order.payments[index])?.values.reduce(0, +)
        )
    }

    /// Writes down what the PSP did without being asked, as an operation that succeeded.
    ///
    /// - Parameters:
    ///   - kind: what it did.
    ///   - amount: the amount to keep.
    ///   - done: what we take it to have acted on, if that is less.
    ///   - stated: the amount that the PSP named, if it is another one.
    ///   - reference: the PSP's name for it; nil if we conclude it from an answer.
    ///   - refund: the refund that it was made for, if it is known.
    ///   - commission: for a refund at a PSP that keeps the commission: how much of that it gives back, if it is known.
    ///   - isFinal: for a capture, whether it released the rest of the hold.
    ///   - origin: who says so, an operator in the PSP's stead or the PSP.
    ///   - isImplied: whether it is a capture that a refund implies.
    ///   - place: the attempt.
    mutating func addPSPOperation(
        _ kind: Operation.Kind,
        amount: Int64,
        done: Int64? = nil,
        stated: Int64? = nil,
        reference: String? = nil,
        refund: RefundID? = nil,
        commission: Int64? = nil,
        isFinal: Bool = true,
        saidBy origin: Operation.Origin = .psp,
        isImplied: Bool = false,
        at place: Place
    ) {
        guard amount > 0 else { return }
        if kind == .void { approveWhatIsReleased(at: place) }
        if !isImplied { allocateImplied(besides: kind, of: done ?? amount, at: place) }
        let prior = order.payments[place.payment]
        var operation = Operation(
            id: ids.make(at: now),
            kind: kind,
            amount: amount,
            origin: origin,
            createdAt: now,
            refund: refund,
            isFinal: isFinal
        )
        operation.reference = reference
        operation.repliedAt = now
        operation.state = .succeeded
        operation.doneAmount = kind == .void ? 0 : min(amount, done ?? amount)
        // Of what it takes, the PSP keeps the commission that it was told with the authorization.
        let attempt = attempt(at: place)
        if attempt.route.takesApplicationFee {
            let told = kind == .capture ? order.commissionTold(forCaptureOf: amount, of: attempt, in: prior) : nil
            operation.commission = told ?? commission
        }
        changeAttempt(at: place) { $0.operations.append(operation) }
        if kind == .void { closeUnfinishedAuthorization(at: place) }
        changeAttempt(at: place) { $0.allocateReleases() }
        recordFact(
            .succeeded(Success(reference: reference, amount: stated ?? done ?? amount)),
            of: operation,
            saidBy: origin
        )
        post(Self.entry(for: kind, .succeeded), operation.id, since: prior, at: place)
        emit(
            Self.word(forOwn: kind),
            of: order.payments[place.payment].id,
            operation: operation.id,
            details: [.init("amount", .integer(done ?? amount))]
        )
        if !isImplied { followEffect(at: place) }
        refreshAttention(at: place)
        clearCompensationAttention(at: place)
    }

    private static func word(forOwn kind: Operation.Kind) -> String {
        switch kind {
        case .authorize, .capture: "payment.captured_by_psp"
        case .void: "payment.released_by_psp"
        case .refund, .reverse: "payment.refunded_by_psp"
        }
    }
}
