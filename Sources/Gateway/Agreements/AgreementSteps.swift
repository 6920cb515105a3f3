import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON

/// Changes agreements with the orders under them, in the transaction of the order's step: what the first payment leaves is
/// stored with its success, and nothing of it with its failure.
struct AgreementSteps: Sendable {
    let writer: AgreementWriter
    /// Seals methods; nil where no PSP is heard.
    let vault: Vault?
    let random: RandomSource

    /// Tells an order's agreement what a step of the order means for it; nothing if it means nothing.
    ///
    /// - Throws: `SQLError`, or what the vault throws.
    func write(
        _ inputs: [OrderInput],
        _ order: Order,
        since stored: Order,
        at now: Timestamp,
        in session: any Session
    ) throws {
        guard let use = order.agreement else { return }
        let approvals = inputs.compactMap { $0.approval(in: order) }
        guard order != stored || !approvals.isEmpty else { return }
        let isCharge = use.charge != nil
        let news = isCharge ? order.newsOfCharge(since: stored) : order.newsOfFirst(approvals, since: stored)
        let ending = order.end(of: use, since: stored)
        guard !news.isEmpty || ending != nil || !approvals.isEmpty || order.hasDecided(since: stored),
            let agreement = try AgreementTable.lock(use.agreement, of: order.marketplace, in: session)
        else { return }
        // What is heard of a payment that has come to nothing is nothing to the agreement any more.
        let isOver = !isCharge && agreement.firstOrder != order.id
        var told = isOver ? [] : news
        for approval in approvals {
            guard let method = approval.success.stored else { continue }
            let isWanted = !isOver && approval.attempt.id == order.payments.first?.attempt.id
            let route = approval.attempt.route
            let input = try keep(method, madeAt: route, for: agreement, isWanted: isWanted, at: now, in: session)
            if let input { told.append(input) }
        }
        // Behind the methods, so that one is there when the payment has succeeded, and goes when it has not.
        if let ending, !isOver { told.append(ending) }
        if !isCharge {
            let names = Set(approvals.filter { $0.success.stored != nil }.map(\.attempt.id))
            if let left = order.leftover(in: agreement, ending, told: names, since: stored) { told.append(left) }
        } else if let method = agreement.method, order.findsNone(of: method, since: stored) {
            told.append(.methodGone(method.id))
        }
        try writer.apply(told, to: agreement, by: order.clock, at: now, in: session)
    }

    /// What an agreement is told of its first payment, whose method its PSP was asked after; nil if the PSP told of none.
    ///
    /// - Throws: `SQLError`, or what the vault throws.
    func found(
        _ success: Success,
        madeAt route: RouteSnapshot,
        for agreement: Agreement,
        at now: Timestamp,
        in session: any Session
    ) throws -> [AgreementInput]? {
        guard let stored = success.stored else { return nil }
        let kept = try keep(stored, madeAt: route, for: agreement, isWanted: true, at: now, in: session)
        return (kept.map { [$0] } ?? []) + [.methodAbsent]
    }

    /// What an agreement is told of a payment that is nothing to it, of which its PSP kept a method.
    ///
    /// - Throws: `SQLError`, or what the vault throws.
    func leftBehind(
        _ stored: StoredMethod,
        madeAt route: RouteSnapshot,
        for agreement: Agreement,
        at now: Timestamp,
        in session: any Session
    ) throws -> AgreementInput? {
        try keep(stored, madeAt: route, for: agreement, isWanted: false, at: now, in: session)
    }

    /// Stores the secret of a method, unless it is the one that is kept already.
    private func keep(
        _ stored: StoredMethod,
        madeAt route: RouteSnapshot,
        for agreement: Agreement,
        isWanted: Bool,
        at now: Timestamp,
        in session: any Session
    ) throws -> AgreementInput? {
        guard let vault else { return nil }
        let credential = Credential.pspToken(stored.token, customer: stored.customer)
        for entry in try AgreementMethodTable.all(of: agreement.id, in: session) {
            let bytes = try vault.open(entry.sealed, AgreementMethodTable.context(of: entry.id, agreement.id))
            guard bytes == credential.json.bytes else { continue }
            let known = AgreementMethod(stored, entry.id, route)
            if entry.removeAt == nil {
                if entry.id == agreement.method?.id { return .methodRenewed(known) }
                // Its removal waits for charges that are under way.
                let isReplaced = isWanted && !agreement.isOver && agreement.unerased.contains(entry.id)
                return isReplaced ? .methodSpared(known) : nil
            }
            guard isWanted, !agreement.isOver else {
                // A removal that is in hand may be done already, and then not of this one.
                if let end = entry.leasedUntil, now < end { continue }
                return nil
            }
            // The PSP gives the same name to the same card once more; whoever has its removal in hand sees the new row.
            if try AgreementMethodTable.spare(entry.id, at: now, in: session) { return .methodSpared(known) }
        }
        var ids = IdentifierSource(random: random)
        let method = AgreementMethod(stored, ids.make(at: now), route)
        let context = AgreementMethodTable.context(of: method.id, agreement.id)
        let sealed = try vault.seal(credential.json.bytes, context)
        try AgreementMethodTable.insert(.init(method, of: agreement, sealed: sealed), in: session)
        return isWanted ? .methodKept(method) : .methodUnwanted(method.id)
    }
}

extension AgreementMethod {
    fileprivate init(_ stored: StoredMethod, _ id: StoredMethodID, _ route: RouteSnapshot) {
        self.init(
            id: id,
            kind: .pspToken,
            route: route,
            network: stored.network,
            last4: stored.last4,
            expiryMonth: stored.expiryMonth,
            expiryYear: stored.expiryYear,
            merchantTokenIdentifier: stored.merchantTokenIdentifier
        )
    }
}

/// The success of an authorization that a PSP answered, of the payment that counts.
private struct Approval {
    let success: Success
    let attempt: Attempt
}

extension OrderInput {
    fileprivate func approval(in order: Order) -> Approval? {
        guard case .outcome(let report) = self, case .succeeded(let success) = report.outcome,
            let found = order.find(report.operation), found.operation.kind == .authorize, !report.isOfSearch
        else { return nil }
        if let known = found.attempt.pspReference, let named = success.reference, known != named { return nil }
        return Approval(success: success, attempt: found.attempt)
    }
}

extension Order {
    /// What an agreement is told of the approval of its first payment since.
    fileprivate func newsOfFirst(_ approvals: [Approval], since stored: Order) -> [AgreementInput] {
        guard let attempt = payments.first?.attempt else { return [] }
        var news: [AgreementInput] = []
        if let approved = approvedAttempt(since: stored) {
            news.append(
                .firstPaymentNamed(reference: approved.pspReference, networkTransactionIDs: [], at: approved.route)
            )
        }
        for approval in approvals where approval.attempt.id == attempt.id {
            news.append(
                .firstPaymentNamed(
                    reference: approval.success.reference,
                    networkTransactionIDs: approval.success.networkTransactionIDs,
                    at: attempt.route
                )
            )
        }
        return news
    }

    /// What an agreement is told of the approval or decline of a charge since; less than was asked is a decline.
    fileprivate func newsOfCharge(since stored: Order) -> [AgreementInput] {
        if let decline = payments.first?.decline, stored.payments.first?.decline == nil {
            return [.chargeDeclined(decline)]
        }
        return approvedAttempt(since: stored).map { _ in [.chargeApproved(placedAt: createdAt)] } ?? []
    }

    /// The attempt of ours that was approved in full since.
    private func approvedAttempt(since stored: Order) -> Attempt? {
        guard let attempt = payments.first?.attempt, attempt.isApproved, !attempt.isPartialApproval else { return nil }
        return stored.isApproved(attempt.id) ? nil : attempt
    }

    private func isApproved(_ id: AttemptID) -> Bool {
        payments.contains { payment in payment.attempts.contains { $0.id == id && $0.isApproved } }
    }

    /// Whether an authorization has come to something or to nothing since.
    fileprivate func hasDecided(since stored: Order) -> Bool {
        undecided.count != stored.undecided.count || approved != stored.approved
    }

    private var undecided: [AttemptID] {
        payments.flatMap(\.attempts).filter { !$0.authorization.state.isDefinite && !$0.isApproved }.map(\.id)
    }

    private var approved: [AttemptID] { payments.flatMap(\.attempts).filter(\.isApproved).map(\.id) }

    /// Whether the PSP has refused a charge since because it does not have the method any more.
    ///
    /// A method that was kept after the charge was placed did not pay for it.
    fileprivate func findsNone(of method: AgreementMethod, since stored: Order) -> Bool {
        guard id.bits >> 80 >= method.id.bits >> 80, let attempt = payments.first?.attempt,
            case .rejected(let rejection) = attempt.authorization.state, rejection.reason == .methodGone
        else { return false }
        return stored.payments.first?.attempt.authorization.state != attempt.authorization.state
    }

    /// What the decision since means for the agreement; nil if there is none.
    fileprivate func end(of use: AgreementUse, since stored: Order) -> AgreementInput? {
        guard decision.state != stored.decision.state else { return nil }
        switch (decision.state, use.charge) {
        case (.accepted, nil): return .firstPaymentSucceeded
        case (.refused, nil), (.canceled, nil): return .firstPaymentFailed
        case (.accepted, .some): return .chargeDecided(id, isAccepted: true)
        case (.refused, .some), (.canceled, .some): return .chargeDecided(id, isAccepted: false)
        case (.pending, _), (.cleared, _): return nil
        }
    }
}

extension Order {
    /// The attempts of a first payment that are nothing to its agreement, and were approved or still may be.
    ///
    /// - Parameter isAccepted: whether the agreement has its method of this order, which is that of the latest attempt.
    /// - Returns: those attempts.
    func unwantedAttempts(isAccepted: Bool) -> [Attempt] {
        payments.flatMap { payment in
            payment.attempts.filter { attempt in
                (attempt.isApproved || !attempt.authorization.state.isDefinite)
                    && !(isAccepted && attempt.id == payment.attempt.id)
            }
        }
    }

    /// What an agreement is told of attempts of its first payment that are nothing to it.
    ///
    /// - Parameters:
    ///   - agreement: the agreement before the step.
    ///   - ending: what the step's decision means for the agreement.
    ///   - names: the attempts whose method was told in the step.
    ///   - stored: the order before the step.
    /// - Returns: that the PSP is to be asked after them, or that nothing is left to ask; nil if neither is new.
    fileprivate func leftover(
        in agreement: Agreement,
        _ ending: AgreementInput?,
        told names: Set<AttemptID>,
        since stored: Order
    ) -> AgreementInput? {
        let isFirst = agreement.firstOrder == id
        let isEnding = isFirst && agreement.isFirstPaymentOpen && ending != nil
        guard isEnding || !isFirst || !agreement.isFirstPaymentOpen else { return nil }
        let isAccepted = isEnding ? ending == .firstPaymentSucceeded : isFirst
        var names = names
        // It was told in an earlier step, of the attempt that was wanted then.
        if isEnding, agreement.method?.kind == .pspToken, let attempt = payments.first?.attempt.id {
            names.insert(attempt)
        }
        let unwanted = unwantedAttempts(isAccepted: isAccepted)
        let isListed = agreement.leftovers.contains { $0.order == id }
        let isNew = unwanted.contains { attempt in
            guard attempt.isApproved else { return isEnding }
            return !names.contains(attempt.id) && (isEnding || !stored.isApproved(attempt.id))
        }
        if isNew { return .paymentLeft(id) }
        let isKnown = unwanted.allSatisfy { $0.isApproved && names.contains($0.id) }
        return isListed && isKnown ? .leftoverDone(id) : nil
    }
}
