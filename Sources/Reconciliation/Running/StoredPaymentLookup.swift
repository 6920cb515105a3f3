import Domain
import SQL
import Storage

/// Finds payments of ours in the database by what a line says of them.
struct StoredPaymentLookup: PaymentLookup {
    let database: any Database
    let marketplace: String
    /// Files that are about to be superseded: what they met is open.
    let superseding: Set<ImportID>

    func payments(for queries: [PaymentQuery]) async throws -> [KnownPayment?] {
        let (marketplace, superseding) = (marketplace, superseding)
        return try await database.read { session in
            let references = queries.flatMap(\.references)
            let found = try KnownPaymentTable.find(references, of: marketplace, in: session)
            let byReference = Dictionary(grouping: found, by: \.reference)
            let owners = queries.map { query in query.owner(among: byReference) }
            let orders = try OrderReader.load(Set(owners.compactMap { $0?.order }).sorted(), in: session)
            let payments = orders.flatMap { order in order.payments.map { ($0.id, (order.amount.currency, $0)) } }
            let met = try MatchTable.matched(
                payments.flatMap { $0.1.1.subjects },
                releasing: superseding,
                in: session
            )
            let posted = try ExpectationTable.postedAt(
                payments.flatMap { $0.1.1.attempts.flatMap(\.operations).filter(\.isEffect).map(\.id) },
                in: session
            )
            let byID = Dictionary(payments) { first, _ in first }
            return owners.map { owner in
                guard let owner, let (currency, payment) = byID[owner.payment] else { return nil }
                return KnownPayment(owner, payment, currency, met: met, posted: posted)
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
    fileprivate func owner(among found: [String: [ReferredPayment]]) -> ReferredPayment? {
        for reference in references {
            if let own = found[reference]?.first(where: { $0.pspAccount == account.account }) { return own }
        }
        return nil
    }
}

extension KnownPayment {
    /// The attempt, with what it did to the balance at its PSP.
    fileprivate init(
        _ owner: ReferredPayment,
        _ payment: Payment,
        _ currency: Currency,
        met: Set<Expectation.Subject>,
        posted: [OperationID: Timestamp]
    ) {
        let attempt = payment.attempts.first { $0.id == owner.attempt }
        var effects: [Effect] = []
        func add(_ kind: Expectation.Kind, _ amount: Int64, _ commission: Int64?, _ at: Timestamp, _ isMet: Bool) {
            effects.append(
                Effect(kind: kind, currency: currency, amount: amount, commission: commission, isMatched: isMet, at: at)
            )
        }
        for operation in attempt?.operations ?? [] where operation.isEffect {
            let sign: Int64 = operation.givesBack ? -1 : 1
            add(
                operation.givesBack ? .refund : .payment,
                sign * operation.doneAmount,
                operation.commission.map { sign * $0 },
                posted[operation.id] ?? operation.createdAt,
                met.contains(.operation(operation.id))
            )
        }
        for dispute in payment.disputes where dispute.attempt == owner.attempt {
            add(.chargeback, -dispute.amount, nil, dispute.heardAt, met.contains(.chargeback(dispute.id)))
            guard dispute.state == .won else { continue }
            add(
                .chargebackReversal,
                dispute.amount,
                nil,
                dispute.stateAt ?? dispute.heardAt,
                met.contains(.chargebackReversal(dispute.id))
            )
        }
        self.init(
            order: owner.order,
            payment: owner.payment,
            attempt: owner.attempt,
            merchant: owner.merchant,
            state: owner.status,
            effects: effects
        )
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
