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
    /// The PSP was asked after a method that no reply had told, and could not say yet.
    case methodNotTold
    /// The PSP has answered, or cannot be asked: it keeps no other method of the first payment than those that are known.
    case methodAbsent
    /// A method that the PSP was to forget is charged after all: another payment has left the same.
    case methodSpared(AgreementMethod)
    /// The PSP does not have a method any more.
    case methodGone(StoredMethodID)
    /// The PSP may have kept something of a first payment that is nothing to the agreement, and no reply told what.
    case paymentLeft(OrderID)
    /// The PSP was asked after such a payment, and could not say yet.
    case leftoverNotTold(OrderID)
    /// What the PSP kept of such a payment is known.
    case leftoverDone(OrderID)
    /// What is known of the method has changed, and not its secret.
    case methodRenewed(AgreementMethod)
    /// The order of a charge is written down.
    case chargePlaced(OrderID)
    /// The order of a charge is decided: accepted, or refused or called off.
    case chargeDecided(OrderID, isAccepted: Bool)
    /// A charge was approved that was placed then.
    case chargeApproved(placedAt: Timestamp)
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
    /// The methods that the PSP is to forget, and whose secrets are erased once it has; one may be named more than once.
    package var removals: [StoredMethodID] = []
    /// When the PSP is asked after the method, in milliseconds from now; nil if nothing of that changes.
    package var asksAfterMilliseconds: Int64?
    /// The merchant tokens that Apple is to unlink.
    package var unlinks: [String] = []

    /// Makes a step.
    package init(
        told: [Announcement.Kind] = [],
        removals: [StoredMethodID] = [],
        asksAfterMilliseconds: Int64? = nil,
        unlinks: [String] = []
    ) {
        self.told = told
        self.removals = removals
        self.asksAfterMilliseconds = asksAfterMilliseconds
        self.unlinks = unlinks
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
            if method != nil, state == .pending { open(&step) }
            // Where we keep the number, the PSP keeps nothing; it may know what the scheme calls the payment.
            let isNameless = method?.kind == .networkToken && networkTransactionIDs.isEmpty && !isOver
            if method == nil || isNameless { (asks, step.asksAfterMilliseconds) = (0, Self.firstAskMilliseconds) }
        case .firstPaymentFailed: failFirstPayment(&step)
        case .tokenNamed(let name): self.name(name, &step)
        case .tokenUnlinked(let name): unlink(name, &step)
        case .tokenForgotten(let name): forget(name)
        case .cardUpdated(let card, let name, let announcement):
            update(card, of: name, toldBy: announcement, &step)
        case .tokenRenumbered(let old, let name, let announcement): renumber(old, to: name, toldBy: announcement)
        case .methodKept(let method): if !unerased.contains(method.id) { keep(method, &step) }
        case .methodSpared(let method): if self.method?.id != method.id, !isOver { keep(method, &step) }
        case .methodUnwanted(let id):
            unerased.append(id)
            step.removals.append(id)
            if state == .ended { state = .ending }
        case .methodGone(let id): if method?.id == id, state == .active { suspend(.methodMissing, &step) }
        case .methodNotTold: askAgain(&step)
        case .methodAbsent:
            guard asks != nil else { break }
            asks = nil
            if state == .pending { suspend(.methodMissing, &step) }
        case .paymentLeft, .leftoverNotTold, .leftoverDone: clear(input, &step)
        case .methodRenewed(let told):
            let renewed = ofToken(told)
            if method?.id == renewed.id, method != renewed, !isOver {
                method = renewed
                step.told.append(.agreementUpdated)
            }
        case .chargePlaced, .chargeDecided, .chargeApproved, .chargeDeclined: hear(ofCharge: input, at: now, &step)
        case .end: end(&step)
        case .methodErased(let id): unerased.removeAll { $0 == id }
        }
        if isDoneWithToken, !before.isDoneWithToken { step.unlinks += linkedTokens }
        let isSettled = unerased.isEmpty && linkedTokens.isEmpty && leftovers.isEmpty && asks == nil
        if state == .ending, isSettled, !isFirstPaymentOpen {
            (state, method, token) = (.ended, nil, nil)
        }
        announced += Int64(step.told.count)
        if self != before {
            updatedAt = now
            version += 1
        }
        return step
    }

    private mutating func hear(ofCharge input: AgreementInput, at now: Timestamp, _ step: inout AgreementStep) {
        switch input {
        case .chargePlaced(let order): openCharges.append(order)
        case .chargeDecided(let order, let isAccepted):
            let isKnown = openCharges.contains(order)
            openCharges.removeAll { $0 == order }
            if isKnown, openCharges.isEmpty { step.removals += unusedMethods }
            if isAccepted { chargedBy = order } else if chargedBy == order { chargedBy = nil }
        case .chargeApproved(let time): tries.approve(placedAt: time)
        case .chargeDeclined(let decline):
            tries.decline(decline, at: now)
            if decline.advice == .revoked, state == .active { suspend(.consentRevoked, &step) }
        default: break
        }
    }

    private mutating func open(_ step: inout AgreementStep) {
        guard token?.isUnlinked != true else { return suspend(.methodUnlinked, &step) }
        (state, suspension) = (.active, nil)
        step.told.append(.agreementActive)
    }

    mutating func suspend(_ reason: Suspension, _ step: inout AgreementStep) {
        (state, suspension) = (.suspended, reason)
        step.told.append(.agreementSuspended)
    }

    private mutating func askAgain(_ step: inout AgreementStep) {
        guard let before = asks else { return }
        asks = before + 1
        step.asksAfterMilliseconds = Self.pause(after: before + 1)
        if before + 1 == Self.askLimit, state == .pending { suspend(.methodMissing, &step) }
    }

    private static func pause(after asks: Int64) -> Int64 {
        min(longestAskMilliseconds, firstAskMilliseconds << min(asks, 16))
    }

    /// Has the PSP asked after payments that are nothing to the agreement, one after the other.
    private mutating func clear(_ input: AgreementInput, _ step: inout AgreementStep) {
        switch input {
        case .paymentLeft(let order):
            leftovers.removeAll { $0.order == order }
            leftovers.insert(Leftover(order), at: 0)
            step.asksAfterMilliseconds = Self.firstAskMilliseconds
            if state == .ended { state = .ending }
        case .leftoverNotTold(let order):
            guard let place = leftovers.firstIndex(where: { $0.order == order }) else { return }
            var leftover = leftovers.remove(at: place)
            leftover.asks += 1
            leftovers.append(leftover)
            step.asksAfterMilliseconds = Self.pause(after: leftovers.map(\.asks).min() ?? 0)
        case .leftoverDone(let order):
            guard leftovers.contains(where: { $0.order == order }) else { return }
            leftovers.removeAll { $0.order == order }
            if !leftovers.isEmpty || asks != nil { step.asksAfterMilliseconds = Self.firstAskMilliseconds }
        default: break
        }
    }

    /// Nothing of a first payment that failed is kept; another may be made.
    private mutating func failFirstPayment(_ step: inout AgreementStep) {
        guard isFirstPaymentOpen else { return }
        isFirstPaymentOpen = false
        dropCandidate(&step)
        if let method { step.removals.append(method.id) }
        (firstOrder, firstReference, networkTransactionIDs, method) = (nil, nil, [], nil)
        // The buyer may pay with the same card next, and so with the same token.
        if state == .pending { (token, linkedTokens) = (nil, []) }
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
            if !unerased.contains(new.id) { unerased.append(new.id) }
            dropCandidate(&step)
            asks = nil
        }
        guard !isOver else {
            // It was paid under while somebody ended it.
            remove(new, &step)
            (state, method) = (.ending, new)
            return
        }
        if let name = new.merchantTokenIdentifier { self.name(name, &step) }
        if let method { remove(method, &step) } else { new = token?.card.applied(to: new) ?? new }
        let isReplacement = method != nil
        method = new
        tries.replaceMethod()
        if (state == .suspended && isMended) || (state == .pending && !isFirstPaymentOpen) {
            open(&step)
        } else if isReplacement, state != .pending {
            step.told.append(.agreementUpdated)
        }
    }

    /// Has the PSP forget a method that no charge is made with from now on, once none is left that may yet be sent with it.
    ///
    /// A number that we keep goes at once: it stands in the order of each charge, too.
    private func remove(_ method: AgreementMethod, _ step: inout AgreementStep) {
        if method.kind == .networkToken || openCharges.isEmpty { step.removals.append(method.id) }
    }

    /// The methods that no charge is made with from now on, whether the PSP is to forget them already or not.
    private var unusedMethods: [StoredMethodID] {
        let isMethodUnused = isOver && !PlantedBug.methodKept.isPlanted
        return unerased.filter { $0 != candidate?.id && (isMethodUnused || $0 != method?.id) }
    }

    /// Whether another method has taken away what it is suspended for.
    private var isMended: Bool {
        suspension == .methodMissing || (suspension == .methodUnlinked && token?.isUnlinked != true)
    }

    private mutating func end(_ step: inout AgreementStep) {
        guard !isOver else { return }
        if let method {
            if !PlantedBug.methodKept.isPlanted { remove(method, &step) }
            asks = nil
        }
        (state, suspension) = (.ending, nil)
        step.told.append(.agreementEnded)
    }
}
