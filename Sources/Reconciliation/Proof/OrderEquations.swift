package import Domain
package import Storage

/// An order as equations, from what the buyer paid to what the bank booked.
package struct OrderEquations: Hashable, Sendable {
    /// The equations in the order of the money's way.
    package let all: [Equation]

    /// Sets up the equations of an order with what files and books say of it.
    package init(_ order: Order, _ proof: OrderProof) {
        let files = FileEquations(order, proof)
        all = BookEquations(order, proof).all + files.all
    }

    /// Whether our own books contradict each other.
    package var areBooksWrong: Bool { all.contains { $0.step.isOurs && $0.verdict == .differs } }

    /// Whether anything does not agree.
    package var differ: Bool { all.contains { $0.verdict == .differs } }
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
