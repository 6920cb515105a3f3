import Domain
import Storage

/// The equations that files of PSPs and banks have a side of.
struct FileEquations {
    let order: Order
    let proof: OrderProof

    init(_ order: Order, _ proof: OrderProof) {
        self.order = order
        self.proof = proof
    }

    var all: [Equation] {
        order.payments.map(report) + proof.lines.filter { $0.match.position == 0 }.compactMap(sum)
            + proof.payouts.flatMap(bank) + order.payments.compactMap(payout)
    }

    /// Our net against what the lines of effects say; until a file has them all, there is nothing to differ from.
    private func report(of payment: Payment) -> Equation {
        let lines = proof.lines.filter { $0.match.payment == payment.id && $0.match.subject != nil }
        let terms = lines.filter { $0.isShared || $0.match.position == 0 }.map { line in
            let whole = line.line.presentment ?? line.line.gross ?? line.line.net
            let part = line.isShared ? line.match.subject.flatMap(payment.effect) : nil
            return Equation.Term(
                "\(line.isShared ? "part of a " : "")\(line.line.kind.rawValue) by \(line.match.rule)",
                part ?? whole?.minorUnits ?? 0,
                from: line.place
            )
        }
        let isWrong = lines.contains { !$0.match.isExact }
        let count = EffectCount(of: payment, lines, proof.entries)
        return Equation(
            .report,
            of: payment.externalIdentifier,
            in: order.amount.currency,
            Equation.Term(
                "captured less refunded and charged back",
                payment.captured - payment.refunded - payment.chargedBack,
                from: payment.id.text
            ),
            terms,
            isComplete: isWrong || count.reported >= count.expected,
            accepting: accepted(of: payment)
        )
    }

    /// What was written off or forced of a payment, in the order's currency.
    private func accepted(of payment: Payment) -> Int64 {
        proof.breaks.reduce(0) { sum, found in
            let counts =
                found.state.isPosted && found.difference.payment == payment.id
                && found.difference.currency == order.amount.currency
            return counts ? sum + found.difference.difference : sum
        }
    }

    /// Whether a line's net is its gross less its fee; nil if it does not say, or is of several currencies.
    private func sum(of line: OrderProof.Line) -> Equation? {
        guard let net = line.line.net, let gross = line.line.gross, let units = net.minorUnits,
            let before = gross.minorUnits, gross.currency == net.currency
        else { return nil }
        var right = [Equation.Term("gross", before, from: line.place)]
        if let fee = line.line.fee {
            guard fee.currency == net.currency, let taken = fee.minorUnits else { return nil }
            right.append(Equation.Term("fee", -taken, from: line.place))
        }
        return Equation(
            .line,
            of: "\(line.line.type) \(line.line.objectReference ?? line.line.paymentReference ?? "")",
            in: net.currency,
            Equation.Term("net", units, from: line.place),
            right
        )
    }

    /// Whether what a batch paid out is at the bank; a credit may be of several payouts.
    private func bank(of payout: OrderProof.BatchPayout) -> [Equation] {
        guard let paid = payout.line.net ?? payout.line.gross, let units = paid.minorUnits else { return [] }
        let credits = proof.credits.filter { $0.payout == .line(payout.place) }
        let terms = credits.compactMap { credit in
            credit.entry.amount.minorUnits.map { Equation.Term("credit by \(credit.rule)", $0, from: credit.source) }
        }
        let isShared = terms.contains { $0.amount > -units }
        return [
            Equation(
                .bank,
                of: "batch \(payout.batch)",
                in: paid.currency,
                Equation.Term("paid out", -units, from: "\(payout.file) row \(payout.line.row)"),
                isShared ? [Equation.Term("part of a credit", -units, from: credits[0].source)] : terms,
                isComplete: !credits.isEmpty
            )
        ]
    }

    /// What a merchant earned of the order and what of that it was paid, earlier proceeds being paid first.
    private func payout(of payment: Payment) -> Equation? {
        let earned = proof.entries.filter { $0.payment == payment.id }
            .flatMap(\.postings)
            .reduce(Int64(0)) { sum, posting in
                sum + (posting.credit == .payable(merchant: payment.merchant) ? posting.amount : 0)
                    - (posting.debit == .payable(merchant: payment.merchant) ? posting.amount : 0)
            }
        guard earned > 0 else { return nil }
        return Equation(
            .payout,
            of: payment.externalIdentifier,
            in: order.amount.currency,
            Equation.Term("earned", earned, from: Account.payable(merchant: payment.merchant).path),
            proof.coverage.filter { $0.merchant == payment.merchant }
                .map { Equation.Term("payout \($0.reference)", $0.covered, from: $0.payout.text) },
            isComplete: false
        )
    }
}

extension OrderProof.Line {
    /// Where it stands, for people.
    fileprivate var place: String { "\(file) row \(line.row)" }
}

extension OrderProof.Credit {
    /// Where it stands, for people.
    fileprivate var source: String { "\(file) row \(entry.row)" }
}

/// How many effects of a payment a PSP has to report, and how many it has.
private struct EffectCount {
    private(set) var expected = 0
    private(set) var reported = 0

    /// Counts what is done once, what failed after all twice if it is in a file, and disputes by their entries.
    init(of payment: Payment, _ lines: [OrderProof.Line], _ entries: [OrderProof.Entry]) {
        let bySubject = Dictionary(grouping: lines) { $0.match.subject }
        for operation in payment.attempts.flatMap(\.operations)
        where operation.kind == .capture || operation.givesBack {
            let found = bySubject[.operation(operation.id)] ?? []
            if operation.state == .succeeded, operation.doneAmount > 0 {
                expected += 1
                reported += found.isEmpty ? 0 : 1
            } else if case .reversed = operation.state, !found.isEmpty {
                expected += 2
                reported += Set(found.map { ($0.line.gross ?? $0.line.net)?.units ?? 0 > 0 }).count
            }
        }
        for dispute in payment.disputes {
            for (kind, subject) in [
                (JournalEntry.Kind.chargeback, Expectation.Subject.chargeback(dispute.id)),
                (.chargebackReversal, .chargebackReversal(dispute.id)),
            ] {
                let posted = entries.count { $0.dispute == dispute.id && $0.kind == kind }
                expected += posted
                reported += min(posted, Set((bySubject[subject] ?? []).map(\.match.line)).count)
            }
        }
    }
}

extension Payment {
    /// What an effect of it did to the balance at the PSP; nil for one that is not its.
    fileprivate func effect(_ subject: Expectation.Subject) -> Int64? {
        switch subject {
        case .operation(let id):
            let operation = attempts.flatMap(\.operations).first { $0.id == id }
            return operation.map { $0.givesBack ? -$0.doneAmount : $0.doneAmount }
        case .chargeback(let id): return disputes.first { $0.id == id }.map { -$0.amount }
        case .chargebackReversal(let id): return disputes.first { $0.id == id }?.amount
        }
    }
}
