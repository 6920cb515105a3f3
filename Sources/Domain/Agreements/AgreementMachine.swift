/// Something that an agreement is told.
package enum AgreementInput: Hashable, Sendable {
    /// The order of its first payment is written down; with what charges can be paid with if the PSP keeps nothing.
    case firstPaymentPlaced(OrderID, candidate: AgreementMethod?)
    /// What of the first payment is known, once it is approved: the PSP's name, and the card scheme's, and where it was made.
    case firstPaymentNamed(reference: String?, networkTransactionIDs: [NetworkTransactionID], at: RouteSnapshot)
    /// The first payment has succeeded.
    case firstPaymentSucceeded
    /// The first payment has come to nothing.
    case firstPaymentFailed
    /// A method is kept for charges, in the place of the one before.
    case methodKept(AgreementMethod)
    /// The PSP kept a method of a payment that has come to nothing.
    case methodUnwanted(StoredMethodID)
    /// The PSP was asked after a method that no reply had told, and could not say yet.
    case methodNotTold
    /// The PSP keeps no method of the first payment, or cannot be asked after it.
    case methodAbsent
    /// What is known of the method has changed, and not its secret.
    case methodRenewed(AgreementMethod)
    /// The order of a charge is written down.
    case chargePlaced(OrderID)
    /// The order of a charge is decided: accepted, or refused or called off.
    case chargeDecided(OrderID, isAccepted: Bool)
    /// A charge was approved.
    case chargeApproved
    /// A charge was declined.
    case chargeDeclined(Decline)
    /// Somebody ends it.
    case end
    /// The PSP has forgotten a method, and its secret is erased.
    case methodErased(StoredMethodID)
}

/// What a step of an agreement came to, beside the agreement.
package struct AgreementStep: Hashable, Sendable {
    /// What others are told, in its order.
    package var told: [Announcement.Kind] = []
    /// The methods that the PSP is to forget, and whose secrets are erased once it has.
    package var removals: [StoredMethodID] = []
    /// When the PSP is asked after the method, in milliseconds from now; nil if nothing of that changes.
    package var asksAfterMilliseconds: Int64?

    /// Makes a step.
    package init(
        told: [Announcement.Kind] = [],
        removals: [StoredMethodID] = [],
        asksAfterMilliseconds: Int64? = nil
    ) {
        self.told = told
        self.removals = removals
        self.asksAfterMilliseconds = asksAfterMilliseconds
    }
}

extension Agreement {
    /// When the PSP is first asked after a method: what it says by itself overtakes its reply by seconds.
    private static let firstAskMilliseconds: Int64 = 10_000
    /// How long the PSP is left alone at most after it was asked in vain; it is twice as long each time until then.
    private static let longestAskMilliseconds: Int64 = 6 * 3_600_000
    /// After how many questions in vain, which is after ten minutes, the agreement is suspended; the PSP is asked on.
    private static let askLimit: Int64 = 6

    /// Tells an agreement something; any input may come twice, and what comes too late changes nothing.
    ///
    /// - Returns: what others are told, and what is to be removed.
    package mutating func apply(_ input: AgreementInput, at now: Timestamp) -> AgreementStep {
        let before = self
        var step = AgreementStep()
        switch input {
        case .firstPaymentPlaced(let order, let candidate):
            (firstOrder, isFirstPaymentOpen, self.candidate) = (order, true, candidate)
            if let candidate { unerased.append(candidate.id) }
        case .firstPaymentNamed(let reference, let ids, let route):
            // Another route was taken after all, whose PSP may not take the number.
            if let candidate, candidate.route != route { dropCandidate(&step) }
            firstReference = reference ?? firstReference
            for id in ids where !networkTransactionIDs.contains(where: { $0.kind == id.kind }) {
                networkTransactionIDs.append(id)
            }
        case .firstPaymentSucceeded:
            guard isFirstPaymentOpen else { break }
            if method == nil, let candidate { keep(candidate, &step) }
            dropCandidate(&step)
            isFirstPaymentOpen = false
            if method != nil {
                if state == .pending { open(&step) }
            } else {
                (asks, step.asksAfterMilliseconds) = (0, Self.firstAskMilliseconds)
            }
        case .firstPaymentFailed: failFirstPayment(&step)
        case .methodKept(let method): keep(method, &step)
        case .methodUnwanted(let id):
            unerased.append(id)
            step.removals.append(id)
        case .methodNotTold: askAgain(&step)
        case .methodAbsent:
            guard asks != nil else { break }
            asks = nil
            if state == .pending { suspend(.methodMissing, &step) }
        case .methodRenewed(let renewed):
            if method?.id == renewed.id, method != renewed, !isOver {
                method = renewed
                step.told.append(.agreementUpdated)
            }
        case .chargePlaced(let order): openCharges.append(order)
        case .chargeDecided(let order, let isAccepted):
            openCharges.removeAll { $0 == order }
            if isAccepted { chargedBy = order } else if chargedBy == order { chargedBy = nil }
        case .chargeApproved: tries.approve()
        case .chargeDeclined(let decline):
            tries.decline(decline, at: now)
            if decline.advice == .revoked, state == .active { suspend(.consentRevoked, &step) }
        case .end: end(&step)
        case .methodErased(let id): unerased.removeAll { $0 == id }
        }
        if state == .ending, unerased.isEmpty, !isFirstPaymentOpen, asks == nil { (state, method) = (.ended, nil) }
        announced += Int64(step.told.count)
        if self != before {
            updatedAt = now
            version += 1
        }
        return step
    }

    private mutating func open(_ step: inout AgreementStep) {
        (state, suspension) = (.active, nil)
        step.told.append(.agreementActive)
    }

    private mutating func suspend(_ reason: Suspension, _ step: inout AgreementStep) {
        (state, suspension) = (.suspended, reason)
        step.told.append(.agreementSuspended)
    }

    private mutating func askAgain(_ step: inout AgreementStep) {
        guard let before = asks else { return }
        asks = before + 1
        step.asksAfterMilliseconds = min(Self.longestAskMilliseconds, Self.firstAskMilliseconds << min(before + 1, 16))
        if before + 1 == Self.askLimit, state == .pending { suspend(.methodMissing, &step) }
    }

    /// Nothing of a first payment that failed is kept; another may be made.
    private mutating func failFirstPayment(_ step: inout AgreementStep) {
        guard isFirstPaymentOpen else { return }
        isFirstPaymentOpen = false
        dropCandidate(&step)
        if let method { step.removals.append(method.id) }
        if state == .pending {
            (firstOrder, firstReference, networkTransactionIDs, method) = (nil, nil, [], nil)
        }
    }

    private mutating func dropCandidate(_ step: inout AgreementStep) {
        if let candidate { step.removals.append(candidate.id) }
        candidate = nil
    }

    private mutating func keep(_ new: AgreementMethod, _ step: inout AgreementStep) {
        if candidate?.id == new.id {
            candidate = nil
        } else {
            guard !unerased.contains(new.id) else { return }
            unerased.append(new.id)
            dropCandidate(&step)
        }
        asks = nil
        guard !isOver else {
            // It was paid under while somebody ended it.
            step.removals.append(new.id)
            (state, method) = (.ending, new)
            return
        }
        if let method { step.removals.append(method.id) }
        let isReplacement = method != nil
        method = new
        tries.replaceMethod()
        if !isReplacement, (state == .pending && !isFirstPaymentOpen) || suspension == .methodMissing {
            open(&step)
        } else if isReplacement, state != .pending {
            step.told.append(.agreementUpdated)
        }
    }

    private mutating func end(_ step: inout AgreementStep) {
        guard !isOver else { return }
        if let method { step.removals.append(method.id) }
        (state, suspension) = (.ending, nil)
        step.told.append(.agreementEnded)
    }
}
