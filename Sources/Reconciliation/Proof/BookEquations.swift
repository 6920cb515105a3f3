package import Domain
package import Storage

/// The equations both sides of which are in our books.
struct BookEquations {
    let order: Order
    let proof: OrderProof

    init(_ order: Order, _ proof: OrderProof) {
        self.order = order
        self.proof = proof
    }

    var all: [Equation] { [split] + order.payments.flatMap(equations) }

    /// A residual below zero is none: then the contexts come to more than the total.
    private var split: Equation {
        let residual = order.amount.minorUnits - order.payable
        let contexts = order.payments.map { payment in
            Equation.Term("context \(payment.externalIdentifier)", payment.amount, from: payment.id.text)
        }
        let rest = residual > 0 ? [Equation.Term("residual, uncharged", residual, from: order.id.text)] : []
        return Equation(
            .split,
            of: nil,
            in: currency,
            Equation.Term("total", order.amount.minorUnits, from: order.id.text),
            contexts + rest
        )
    }

    private func equations(of payment: Payment) -> [Equation] {
        [allocation(of: payment)] + operations(of: payment) + [drawdown(of: payment), postings(of: payment)]
    }

    private func allocation(of payment: Payment) -> Equation {
        equation(
            .allocation,
            payment,
            Equation.Term("amount", payment.amount, from: payment.id.text),
            payment.allocation.map { line in
                Equation.Term("\(line.kind.rawValue) \(line.party)", line.amount, from: "frozen at sale")
            }
        )
    }

    private func operations(of payment: Payment) -> [Equation] {
        func equation(_ name: String, _ amount: Int64, _ kinds: Set<Operation.Kind>) -> Equation {
            self.equation(
                .operations,
                payment,
                Equation.Term(name, amount, from: payment.id.text),
                payment.attempts.flatMap { attempt in
                    attempt.operations.filter { kinds.contains($0.kind) && $0.state == .succeeded }
                        .map { operation in
                            Equation.Term(
                                "\(operation.kind.rawValue) at \(attempt.route.pspAccount)",
                                operation.doneAmount,
                                from: operation.id.text
                            )
                        }
                }
            )
        }
        return [
            equation("authorized", payment.authorized, [.authorize]),
            equation("captured", payment.captured, [.capture]),
            equation("refunded", payment.refunded, [.refund, .reverse]),
        ]
    }

    private func drawdown(of payment: Payment) -> Equation {
        equation(
            .drawdown,
            payment,
            Equation.Term("captured less refunded", payment.captured - payment.refunded, from: payment.id.text),
            payment.allocation.map { line in
                Equation.Term(
                    "\(line.kind.rawValue) \(line.party)",
                    line.captured - line.refunded,
                    from: "allocation line"
                )
            }
        )
    }

    /// What came in at the PSP's side of the postings: clearing, direct and invoiced.
    private func postings(of payment: Payment) -> Equation {
        let terms = proof.entries.filter { $0.payment == payment.id }
            .compactMap { entry -> Equation.Term? in
                let moved = entry.postings.reduce(Int64(0)) { sum, posting in
                    sum + (posting.debit.isPSPSide ? posting.amount : 0)
                        - (posting.credit.isPSPSide ? posting.amount : 0)
                }
                return moved == 0 ? nil : Equation.Term(entry.kind.rawValue, moved, from: entry.id.text)
            }
        return equation(
            .postings,
            payment,
            Equation.Term(
                "captured less refunded and charged back",
                payment.captured - payment.refunded - payment.chargedBack,
                from: payment.id.text
            ),
            terms
        )
    }

    private func equation(
        _ step: Equation.Step,
        _ payment: Payment,
        _ left: Equation.Term,
        _ right: [Equation.Term]
    ) -> Equation {
        Equation(step, of: payment.externalIdentifier, in: currency, left, right)
    }

    private var currency: Currency { order.amount.currency }
}

extension Account {
    /// Whether a debit of it is money that came in at a PSP, or is invoiced instead.
    fileprivate var isPSPSide: Bool {
        switch self {
        case .clearing, .direct, .receivable: true
        default: false
        }
    }
}

/// An order as equations, from what the buyer paid to what the bank booked.
package struct OrderEquations: Hashable, Sendable {
    /// The equations in the order of the money's way.
    package let all: [Equation]
    /// The breaks about the order, resolved or not.
    package let breaks: [StoredBreak]

    /// Sets up the equations of an order with what files and books say of it.
    package init(_ order: Order, _ proof: OrderProof) {
        let files = FileEquations(order, proof)
        all = BookEquations(order, proof).all + files.all
        breaks = proof.breaks
    }

    /// Whether our own books contradict each other.
    package var areBooksWrong: Bool { all.contains { $0.step.isOurs && $0.verdict == .differs } }

    /// Whether anything does not agree: an equation, or a break that nobody has resolved yet.
    ///
    /// A break may be of what no equation shows, such as a fee that is not the agreed one.
    package var differ: Bool {
        all.contains { $0.verdict == .differs } || breaks.contains { $0.verdict == .differs }
    }

    /// How many equations and breaks have a verdict; a resolved break has none.
    package func count(_ verdict: Equation.Verdict) -> Int {
        all.count { $0.verdict == verdict } + breaks.count { $0.verdict == verdict }
    }
}

extension Equation.Step {
    /// Whether both of its sides are ours.
    package var isOurs: Bool {
        switch self {
        case .split, .allocation, .operations, .drawdown, .postings: true
        case .report, .line, .bank, .payout: false
        }
    }
}

extension StoredBreak {
    /// That it differs, until somebody has resolved it; then it has no verdict but the word for what became of it.
    package var verdict: Equation.Verdict? { state.isUnresolved ? .differs : nil }
}
