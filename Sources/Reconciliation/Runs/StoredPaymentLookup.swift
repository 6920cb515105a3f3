import Domain
import SQL
import Storage

/// Finds payments of ours in the database by what a line says of them.
struct StoredPaymentLookup: PaymentLookup {
    let database: any Database
    let marketplace: String
    /// Files that are about to be superseded: what they met is open.
    let superseding: Set<ImportID>
    /// Operations whose lines are looked at again: they are open.
    let reopening: Set<OperationID>

    func payments(for queries: [PaymentQuery]) async throws -> [PaymentMatchCandidate?] {
        let (marketplace, superseding, reopening) = (marketplace, superseding, reopening)
        return try await database.read { session in
            let references = queries.flatMap(\.references)
            let found = try PaymentCandidateTable.find(references, of: marketplace, in: session)
            let byReference = Dictionary(grouping: found, by: \.reference)
            let owners = queries.map { query in query.owner(among: byReference) }
            let orders = try OrderReader.load(Set(owners.compactMap { $0?.order }).sorted(), in: session)
            let payments = orders.flatMap { order in order.payments.map { ($0.id, (order.amount.currency, $0)) } }
            let matched = try MatchTable.matched(
                payments.flatMap { $0.1.1.subjects },
                releasing: superseding,
                in: session
            ).subtracting(reopening.map(Expectation.Subject.operation))
            let posted = try ExpectationTable.postedAt(
                payments.flatMap { $0.1.1.attempts.flatMap(\.operations).filter(\.isEffect).map(\.id) },
                in: session
            )
            let byID = Dictionary(payments) { first, _ in first }
            return owners.map { owner in
                guard let owner, let (currency, payment) = byID[owner.payment] else { return nil }
                return owner.with(payment, currency, matched: matched, posted: posted)
            }
        }
    }
}

extension PaymentQuery {
    /// What may name the payment, the surest first.
    fileprivate var references: [String] {
        [attempt?.text, operation?.text, paymentReference, objectReference].compactMap(\.self)
    }

    /// The attempt at this account that a reference leads to.
    fileprivate func owner(among found: [String: [PaymentMatchCandidate]]) -> PaymentMatchCandidate? {
        for reference in references {
            if let own = found[reference]?.first(where: { $0.pspAccount == account.account }) { return own }
        }
        return nil
    }
}

extension PaymentMatchCandidate {
    /// The candidate with what was done to the balance at its PSP under the name of its attempt.
    fileprivate func with(
        _ payment: Payment,
        _ currency: Currency,
        matched: Set<Expectation.Subject>,
        posted: [OperationID: Timestamp]
    ) -> PaymentMatchCandidate {
        let name = payment.attempts.first { $0.id == attempt }.map(payment.nameAtPSP) ?? attempt
        let named = payment.attempts.filter { payment.nameAtPSP(of: $0) == name }
        let kept = payment.commissionsKept
        var effects: [Effect] = []
        func add(_ kind: Expectation.Kind, _ amount: Int64, _ commission: Int64?, _ at: Timestamp, _ isMatched: Bool) {
            effects.append(
                Effect(
                    kind: kind,
                    currency: currency,
                    amount: amount,
                    commission: commission,
                    isMatched: isMatched,
                    at: at
                )
            )
        }
        for operation in named.flatMap(\.operations) where operation.isEffect {
            let sign: Int64 = operation.givesBack ? -1 : 1
            add(
                operation.givesBack ? .refund : .payment,
                sign * operation.doneAmount,
                (kept[operation.id] ?? operation.commission).map { sign * $0 },
                posted[operation.id] ?? operation.createdAt,
                matched.contains(.operation(operation.id))
            )
        }
        for dispute in payment.disputes where named.contains(where: { $0.id == dispute.attempt }) {
            add(.chargeback, -dispute.amount, nil, dispute.heardAt, matched.contains(.chargeback(dispute.id)))
            guard dispute.state == .won else { continue }
            add(
                .chargebackReversal,
                dispute.amount,
                nil,
                dispute.stateAt ?? dispute.heardAt,
                matched.contains(.chargebackReversal(dispute.id))
            )
        }
        var candidate = self
        candidate.effects = effects
        return candidate
    }
}

extension Operation {
    /// Whether it moved money at its PSP.
    fileprivate var isEffect: Bool {
        (kind == .capture || givesBack) && state == .succeeded && doneAmount > 0
    }
}

extension Payment {
    /// Everything of it that a line may confirm.
    fileprivate var subjects: [Expectation.Subject] {
        attempts.flatMap(\.operations).map { .operation($0.id) }
            + disputes.flatMap { [.chargeback($0.id), .chargebackReversal($0.id)] }
    }
}
