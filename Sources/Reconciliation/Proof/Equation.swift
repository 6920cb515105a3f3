package import Domain

/// Two figures about an order that have to be equal, and where each of them is from.
package struct Equation: Hashable, Sendable {
    /// A figure.
    package struct Term: Hashable, Sendable {
        /// What it is.
        package let name: String
        /// The figure, in minor units.
        package let amount: Int64
        /// Where it is from: a row of ours by its identifier, or a line of a file.
        package let source: String

        /// Makes a term.
        package init(_ name: String, _ amount: Int64, from source: String) {
            self.name = name
            self.amount = amount
            self.source = source
        }
    }

    /// Whether it holds.
    package enum Verdict: String, Hashable, Sendable {
        /// Both sides are equal.
        case agrees
        /// They are not.
        case differs
        /// They are not, and by what was written off, or forced.
        case accepted
        /// One side is not there yet: no file has told of it.
        case waiting
    }

    /// Which step of the money's way it proves.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        /// The order's total is its contexts and the residual.
        case split
        /// A payment is its allocation lines.
        case allocation
        /// What a payment has authorized, captured and given back is what its operations did.
        case operations
        /// What the lines drew down is what was captured less what was given back.
        case drawdown
        /// What is posted is what was captured, given back and taken back.
        case postings
        /// What the PSP's files report is what we say.
        case report
        /// A line's net is its gross less its fee.
        case line
        /// What a batch paid out arrived at the bank.
        case bank
        /// What the merchant earned of the order is what it was paid of it.
        case payout
    }

    /// Which step it proves.
    package let step: Step
    /// What it is about: a merchant's external identifier, a batch; nil for the order.
    package let subject: String?
    /// The currency of the figures.
    package let currency: Currency
    /// The left side.
    package let left: Term
    /// The right side, whose sum it is.
    package let right: [Term]
    /// Whether it holds.
    package let verdict: Verdict

    /// Makes an equation, which holds if its sides are equal; `isComplete` false makes a difference one to wait for,
    /// and `accepted` is what somebody accepted that the right side is more than the left.
    package init(
        _ step: Step,
        of subject: String?,
        in currency: Currency,
        _ left: Term,
        _ right: [Term],
        isComplete: Bool = true,
        accepting accepted: Int64 = 0
    ) {
        self.step = step
        self.subject = subject
        self.currency = currency
        self.left = left
        self.right = right
        let difference = right.reduce(Int128(0)) { $0 + Int128($1.amount) } - Int128(left.amount)
        verdict =
            difference == 0 ? .agrees : difference == Int128(accepted) ? .accepted : isComplete ? .differs : .waiting
    }
}
