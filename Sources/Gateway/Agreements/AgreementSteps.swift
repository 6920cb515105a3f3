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
        let successes = inputs.compactMap { $0.approval(in: order) }
        guard order != stored || !successes.isEmpty else { return }
        var told: [AgreementInput] = []
        if let approved = order.approvedAttempt(since: stored) {
            told.append(
                use.charge == nil
                    ? .firstPaymentNamed(
                        reference: approved.pspReference,
                        networkTransactionIDs: [],
                        at: approved.route
                    ) : .chargeApproved
            )
        }
        if use.charge == nil {
            for (success, route) in successes {
                told.append(
                    .firstPaymentNamed(
                        reference: success.reference,
                        networkTransactionIDs: success.networkTransactionIDs,
                        at: route
                    )
                )
            }
        } else if let decline = order.decline(since: stored) {
            told.append(.chargeDeclined(decline))
        }
        let ending = order.end(of: use, since: stored)
        guard !told.isEmpty || ending != nil || !successes.isEmpty,
            let agreement = try AgreementTable.lock(use.agreement, of: order.marketplace, in: session)
        else { return }
        // What is heard of a payment that has come to nothing is nothing to the agreement any more.
        let isOver = use.charge == nil && agreement.firstOrder != order.id
        if isOver { told = [] }
        for (success, route) in successes {
            guard let method = success.stored else { continue }
            let input = try keep(method, madeAt: route, for: agreement, isWanted: !isOver, at: now, in: session)
            if let input { told.append(input) }
        }
        // Last, so that the method is there when the payment has succeeded, and goes when it has not.
        if let ending, !isOver { told.append(ending) }
        try writer.apply(told, to: agreement, by: order.clock, at: now, in: session)
    }

    /// What an agreement is told of its first payment, whose method its PSP was asked after; nil if there is none.
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
        let named = AgreementInput.firstPaymentNamed(
            reference: success.reference,
            networkTransactionIDs: success.networkTransactionIDs,
            at: route
        )
        return [named] + (kept.map { [$0] } ?? [])
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
        for id in agreement.unerased {
            guard let entry = try AgreementMethodTable.find(id, in: session) else { continue }
            let bytes = try vault.open(entry.sealed, AgreementMethodTable.context(of: id, agreement.id))
            guard bytes == credential.json.bytes else { continue }
            return id == agreement.method?.id ? .methodRenewed(AgreementMethod(stored, id, route)) : nil
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

extension OrderInput {
    /// The success of an authorization that a PSP answered, with the route of its attempt.
    fileprivate func approval(in order: Order) -> (Success, RouteSnapshot)? {
        guard case .outcome(let report) = self, case .succeeded(let success) = report.outcome,
            let found = order.find(report.operation), found.operation.kind == .authorize
        else { return nil }
        return (success, found.attempt.route)
    }
}

extension Order {
    /// The attempt that was approved since.
    fileprivate func approvedAttempt(since stored: Order) -> Attempt? {
        let before = Set(stored.payments.flatMap(\.attempts).filter(\.isApproved).map(\.id))
        return payments.flatMap(\.attempts).first { $0.isApproved && !before.contains($0.id) }
    }

    /// The decline of an authorization since.
    fileprivate func decline(since stored: Order) -> Decline? {
        let before = Set(stored.payments.flatMap(\.attempts).filter { $0.decline != nil }.map(\.id))
        return payments.flatMap(\.attempts).first { $0.decline != nil && !before.contains($0.id) }?.decline
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

extension Attempt {
    fileprivate var decline: Decline? {
        if case .declined(let decline) = authorization.state { decline } else { nil }
    }
}
