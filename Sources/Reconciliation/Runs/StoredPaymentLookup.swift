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
            let failed = try FailedEffectTable.effects(
                of: payments.flatMap { $0.1.1.attempts.flatMap(\.operations).filter(\.hasFailedAfterAll).map(\.id) },
                releasing: superseding,
                reopening: reopening,
                in: session
            )
            let disputed = try DisputeEntryTable.entries(
                of: Set(payments.flatMap { $0.1.1.disputes.map(\.id) }),
                releasing: superseding,
                in: session
            )
            let byID = Dictionary(payments) { first, _ in first }
            return owners.map { owner in
                guard let owner, let (currency, payment) = byID[owner.payment] else { return nil }
                var known = owner.with(payment, currency, matched: matched, posted: posted)
                known.add(failed, disputed, of: payment, currency)
                return known
            }
        }
    }
}

extension StoredPaymentLookup {
    func earlier(_ batches: [EarlierBatch.Name]) async throws -> [EarlierBatch] {
        let (marketplace, superseding) = (marketplace, superseding)
        var found: [EarlierBatch] = []
        for (account, names) in Dictionary(grouping: batches, by: \.account).sorted(by: { $0.key < $1.key }) {
            let (sums, payouts) = try await database.read { session in
                try EarlierBatchTable.find(
                    names.map(\.batch),
                    of: account.account,
                    marketplace: marketplace,
                    releasing: superseding,
                    in: session
                )
            }
            found += EarlierBatch.all(of: account, sums, payouts)
        }
        return found
    }
}

extension StoredPaymentLookup {
    func told(_ payouts: Set<PayoutEntry>) async throws -> Set<PayoutEntry> {
        let (marketplace, superseding) = (marketplace, superseding)
        var told: Set<PayoutEntry> = []
        for (account, own) in Dictionary(grouping: payouts, by: \.account).sorted(by: { $0.key < $1.key }) {
            let found = try await database.read { session in
                try RepeatedLines.payouts(
                    own.map(\.entry),
                    of: account.account,
                    marketplace: marketplace,
                    releasing: superseding,
                    in: session
                )
            }
            for (entry, currency) in found {
                told.insert(PayoutEntry(account: account, entry: entry, currency: currency))
            }
        }
        return told.intersection(payouts)
    }
}

extension EarlierBatch {
    /// The batches of an account by name and currency.
    fileprivate static func all(
        of account: PSPAccountName,
        _ sums: [EarlierBatchTable.Sum],
        _ payouts: [UnmatchedTable.Line]
    ) -> [EarlierBatch] {
        var all: [String: EarlierBatch] = [:]
        func change(_ batch: String, _ currency: Currency, _ body: (inout EarlierBatch) -> Void) {
            let new = EarlierBatch(name: Name(account: account, batch: batch), currency: currency)
            body(&all["\(currency.code) \(batch)", default: new])
        }
        for sum in sums {
            change(sum.batch, sum.net.currency) { batch in
                batch.sums.append(sum.net)
                batch.repeated.append(sum.repeated)
                batch.lines += sum.lines
                batch.isNet = batch.isNet && sum.isNet
            }
        }
        for payout in payouts {
            guard let name = payout.line.batch, let paid = payout.line.net ?? payout.line.gross else { continue }
            let place = LinePlace(file: payout.sha256, member: payout.place.member, row: payout.place.row)
            let line = payout.line.line
            let day = (line.occurredOn ?? line.bookedOn ?? line.paidOn)?.day
            let paidOut = PaidOut(place: place, net: payout.line.net, day: day, entry: line.entryReference)
            change(name, paid.currency) { $0.payouts.append(paidOut) }
        }
        return all.sorted { $0.key < $1.key }.map(\.value)
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
    /// The candidate with what captures and refunds did to the balance at its PSP under the name of its attempt.
    fileprivate func with(
        _ payment: Payment,
        _ currency: Currency,
        matched: Set<Expectation.Subject>,
        posted: [OperationID: Timestamp]
    ) -> PaymentMatchCandidate {
        let kept = payment.commissionsKept
        var candidate = self
        candidate.effects = named(in: payment).flatMap(\.operations).filter(\.isEffect).map { operation in
            let sign: Int64 = operation.givesBack ? -1 : 1
            return Effect(
                kind: operation.givesBack ? .refund : .payment,
                currency: currency,
                amount: sign * operation.doneAmount,
                commission: (kept[operation.id] ?? operation.commission).map { sign * $0 },
                isMatched: matched.contains(.operation(operation.id)),
                at: posted[operation.id] ?? operation.createdAt,
                operation: operation.id,
                objectReference: operation.reference
            )
        }
        return candidate
    }

    /// Adds what failed after all, there and back, and what disputes took and gave back.
    fileprivate mutating func add(
        _ failed: [OperationID: FailedEffectTable.FailedEffect],
        _ disputed: [DisputeID: [DisputeEntryTable.Entry]],
        of payment: Payment,
        _ currency: Currency
    ) {
        let named = named(in: payment)
        for operation in named.flatMap(\.operations) {
            guard let effect = failed[operation.id] else { continue }
            var there = Effect(
                kind: operation.givesBack ? .refund : .payment,
                currency: currency,
                amount: effect.amount,
                commission: nil,
                isMatched: effect.isConfirmed,
                at: effect.returnedAt,
                operation: operation.id,
                objectReference: operation.reference
            )
            effects.append(there)
            (there.amount, there.isMatched) = (-effect.amount, effect.isReturnConfirmed)
            effects.append(there)
        }
        for dispute in payment.disputes where named.contains(where: { $0.id == dispute.attempt }) {
            effects += (disputed[dispute.id] ?? []).map { entry in
                Effect(
                    kind: entry.kind,
                    currency: currency,
                    amount: entry.amount,
                    commission: nil,
                    isMatched: entry.isConfirmed,
                    at: entry.at
                )
            }
        }
    }

    /// The attempts of a payment that its PSP knows by the name of this one.
    private func named(in payment: Payment) -> [Attempt] {
        let name = payment.attempts.first { $0.id == attempt }.map(payment.nameAtPSP) ?? attempt
        return payment.attempts.filter { payment.nameAtPSP(of: $0) == name }
    }
}

extension Operation {
    /// Whether it moved money at its PSP.
    fileprivate var isEffect: Bool {
        (kind == .capture || givesBack) && state == .succeeded && doneAmount > 0
    }

    /// Whether it moved money at its PSP, as far as was known, until it failed after all.
    fileprivate var hasFailedAfterAll: Bool {
        guard case .reversed = state else { return false }
        return (kind == .capture || givesBack) && !isWithdrawn
    }
}

extension Payment {
    /// Every operation of it that a line may confirm.
    fileprivate var subjects: [Expectation.Subject] { attempts.flatMap(\.operations).map { .operation($0.id) } }
}
