import Domain

/// Whether every effect is posted, and posted once.
extension OrderBooks {
    var effectFindings: [LedgerFinding] {
        let operations = order.payments.flatMap(\.attempts).flatMap(\.operations)
        return operations.flatMap(effect) + order.payments.flatMap(\.disputes).flatMap(dispute)
    }

    private func effect(of operation: Operation) -> [LedgerFinding] {
        let all = (entries[operation.id.text] ?? [:]).values
        let kinds = all.filter { $0 != JournalEntry.Kind.correction.rawValue }
        let isReversed = operation.state.name == "reversed"
        let kind = operation.kind.entry
        let expected: [JournalEntry.Kind] =
            isReversed ? [kind, .reversal] : operation.doneAmount > 0 ? [kind] : []
        // Of what comes back before it is known to have gone, or after it has failed, nothing is posted.
        if all.isEmpty, kind == .refund || isReversed { return [] }
        func text(_ kinds: [String]) -> String {
            kinds.isEmpty ? "nothing" : kinds.sorted().joined(separator: ", ")
        }
        return compare(
            .effectIsPosted,
            operation.id.text,
            expected: text(expected.map(\.rawValue)),
            found: text(Array(kinds))
        )
    }

    /// What a dispute takes now, against what its entries took at the PSP, whoever bears it.
    private func dispute(_ dispute: Dispute) -> [LedgerFinding] {
        let payment = order.payments.first { $0.disputes.contains { $0.id == dispute.id } }
        guard let payment, let route = payment.attempts.first(where: { $0.id == dispute.attempt })?.route else {
            return []
        }
        let isOurs = route.settlesTo == .marketplace
        let account: Account =
            isOurs ? .clearing(pspAccount: route.pspAccount) : .direct(pspAccount: route.pspAccount)
        let taken = postings.reduce(Int64(0)) { sum, posted in
            guard posted.dispute == dispute.id.text else { return sum }
            let isTaken = posted.credit == account.path
            return sum + (isTaken ? posted.amount : posted.debit == account.path ? -posted.amount : 0)
        }
        return compare(
            .effectIsPosted,
            dispute.id.text,
            expected: "\(dispute.chargedBack) charged back",
            found: "\(taken) charged back"
        )
    }
}

extension Operation.Kind {
    /// What its success is posted as.
    fileprivate var entry: JournalEntry.Kind {
        switch self {
        case .authorize: .authorization
        case .capture: .capture
        case .void: .release
        case .refund, .reverse: .refund
        }
    }
}
