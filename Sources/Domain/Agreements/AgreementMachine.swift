/// Something that an agreement is told.
package enum AgreementInput: Hashable, Sendable {
    /// The order of its first payment is written down; with what charges can be paid with if the PSP keeps nothing.
    case firstPaymentPlaced(OrderID, candidate: AgreementMethod?)
    /// What of the first payment is known, once it is approved: the PSP's name, and the card scheme's.
    case firstPaymentNamed(reference: String?, networkTransactionIDs: [NetworkTransactionID])
    /// The first payment has succeeded.
    case firstPaymentSucceeded
    /// The first payment has come to nothing.
    case firstPaymentFailed
    /// What the buyer paid first with is a merchant token of that name.
    case tokenNamed(String)
    /// Apple tells that a merchant token is unlinked.
    case tokenUnlinked(String)
    /// Apple has nothing left to unlink of a merchant token.
    case tokenForgotten(String)
    /// Apple tells of the card behind a merchant token.
    case cardUpdated(CardUpdate, of: String, toldBy: TokenAnnouncement)
    /// Apple tells that a merchant token has another number, and maybe another name.
    case tokenRenumbered(String, name: String?, toldBy: TokenAnnouncement)
    /// A method is kept for charges, in the place of the one before.
    case methodKept(AgreementMethod)
    /// The PSP kept a method of a payment that has come to nothing.
    case methodUnwanted(StoredMethodID)
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
    /// The merchant tokens that Apple is to unlink.
    package var unlinks: [String] = []

    /// Makes a step.
    package init(told: [Announcement.Kind] = [], removals: [StoredMethodID] = [], unlinks: [String] = []) {
        self.told = told
        self.removals = removals
        self.unlinks = unlinks
    }
}

extension Agreement {
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
        case .firstPaymentNamed(let reference, let ids):
            firstReference = reference ?? firstReference
            for id in ids where !networkTransactionIDs.contains(where: { $0.kind == id.kind }) {
                networkTransactionIDs.append(id)
            }
        case .firstPaymentSucceeded:
            if isFirstPaymentOpen, method == nil, let candidate { keep(candidate, &step) }
            dropCandidate(&step)
            isFirstPaymentOpen = false
            if state == .pending { open(&step) }
        case .firstPaymentFailed: failFirstPayment(&step)
        case .tokenNamed(let name): self.name(name, &step)
        case .tokenUnlinked(let name): unlink(name, &step)
        case .tokenForgotten(let name): forget(name)
        case .cardUpdated(let card, let name, let announcement):
            update(card, of: name, toldBy: announcement, &step)
        case .tokenRenumbered(let old, let name, let announcement): renumber(old, to: name, toldBy: announcement)
        case .methodKept(let method): keep(method, &step)
        case .methodUnwanted(let id):
            unerased.append(id)
            step.removals.append(id)
        case .methodRenewed(let told):
            let renewed = ofToken(told)
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
        if isDoneWithToken, !before.isDoneWithToken { step.unlinks += linkedTokens }
        if state == .ending, unerased.isEmpty, linkedTokens.isEmpty, !isFirstPaymentOpen {
            (state, method, token) = (.ended, nil, nil)
        }
        announced += Int64(step.told.count)
        if self != before {
            updatedAt = now
            version += 1
        }
        return step
    }

    private mutating func open(_ step: inout AgreementStep) {
        guard method != nil else { return suspend(.methodMissing, &step) }
        guard token?.isUnlinked != true else { return suspend(.methodUnlinked, &step) }
        (state, suspension) = (.active, nil)
        step.told.append(.agreementActive)
    }

    mutating func suspend(_ reason: Suspension, _ step: inout AgreementStep) {
        (state, suspension) = (.suspended, reason)
        step.told.append(.agreementSuspended)
    }

    /// Nothing of a first payment that failed is kept; another may be made.
    private mutating func failFirstPayment(_ step: inout AgreementStep) {
        guard isFirstPaymentOpen else { return }
        isFirstPaymentOpen = false
        dropCandidate(&step)
        if let method { step.removals.append(method.id) }
        if state == .pending {
            (firstOrder, firstReference, networkTransactionIDs, method) = (nil, nil, [], nil)
            // The buyer may pay with the same card next, and so with the same token.
            (token, linkedTokens) = (nil, [])
        }
    }

    private mutating func dropCandidate(_ step: inout AgreementStep) {
        if let candidate { step.removals.append(candidate.id) }
        candidate = nil
    }

    private mutating func keep(_ kept: AgreementMethod, _ step: inout AgreementStep) {
        var new = ofToken(kept)
        if candidate?.id == new.id {
            candidate = nil
        } else {
            guard !unerased.contains(new.id) else { return }
            unerased.append(new.id)
            dropCandidate(&step)
        }
        guard !isOver else {
            // It was paid under while somebody ended it.
            step.removals.append(new.id)
            state = .ending
            return
        }
        if let name = new.merchantTokenIdentifier { self.name(name, &step) }
        if let method { step.removals.append(method.id) } else { new = token?.card.applied(to: new) ?? new }
        let isReplacement = method != nil
        method = new
        tries.replaceMethod()
        if state == .suspended, isMended {
            open(&step)
        } else if isReplacement, state != .pending {
            step.told.append(.agreementUpdated)
        }
    }

    /// Whether another method has taken away what it is suspended for.
    private var isMended: Bool {
        suspension == .methodMissing || (suspension == .methodUnlinked && token?.isUnlinked != true)
    }

    private mutating func end(_ step: inout AgreementStep) {
        guard !isOver else { return }
        if let method { step.removals.append(method.id) }
        (state, suspension) = (.ending, nil)
        step.told.append(.agreementEnded)
    }
}
