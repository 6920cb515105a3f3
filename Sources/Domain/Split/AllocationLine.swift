/// A party's share of a payment, frozen at sale.
package struct AllocationLine: Hashable, Sendable {
    /// What the share is for.
    package enum Kind: String, Sendable {
        /// The merchant's own proceeds.
        case merchant
        /// The marketplace's commission.
        case commission
        /// Tax on the commission.
        case commissionTax = "commission_tax"
        /// A tax withheld for an authority.
        case tax
    }

    /// What the share is for.
    package let kind: Kind
    /// Who it belongs to: a merchant's external identifier or the marketplace's id.
    package let party: String
    /// The share of the whole payment, in minor units.
    package let amount: Int64
    /// What becomes of it when the buyer gets money back; a share that is kept is borne by the merchant's line.
    package let returnedOnRefund: CommissionRule.Return
    /// The part of it that is captured.
    package var captured: Int64
    /// The part of it that is given back.
    ///
    /// On the merchant's line also what other lines keep, so that it can be more than is captured.
    package var refunded: Int64

    /// Makes a line of which nothing is captured yet.
    package init(
        kind: Kind,
        party: String,
        amount: Int64,
        captured: Int64 = 0,
        refunded: Int64 = 0,
        returnedOnRefund: CommissionRule.Return = .proRata
    ) {
        self.kind = kind
        self.party = party
        self.amount = amount
        self.captured = captured
        self.refunded = refunded
        self.returnedOnRefund = returnedOnRefund
    }
}

extension [AllocationLine] {
    /// What is not the merchant's of a whole sale, commission and tax on it, in minor units: what a PSP that keeps it is told
    /// with the authorization.
    package var commission: Int64 { reduce(0) { $0 + ($1.kind == .merchant ? 0 : $1.amount) } }

    /// Draws the lines down to `captured` units in all, and answers the change of each.
    ///
    /// Targets are cumulative, so any series of partial captures ends where one whole capture would. A change can
    /// be one unit below zero (the Alabama paradox of largest remainders); bookkeeping then posts it backwards.
    package mutating func capture(upTo captured: Int64) -> [Int64] {
        let targets = LargestRemainder.allocate(captured, by: map(\.amount))
        let changes = zip(targets, self).map { $0 - $1.captured }
        for index in indices { self[index].captured = targets[index] }
        return changes
    }

    /// Gives back `refunded` units in all out of what is captured, and answers the change of each line.
    ///
    /// - Parameters:
    ///   - refunded: what is given back in all.
    ///   - sold: the part of it that gives back a sale, of which lines may keep their share; the rest undoes what
    ///     was never sold, and comes back from all lines alike. All of it unless said.
    /// - Returns: the change of each line.
    package mutating func refund(upTo refunded: Int64, ofWhichSold sold: Int64? = nil) -> [Int64] {
        let targets = refundTargets(refunded, sold ?? refunded)
        let changes = zip(targets, self).map { $0 - $1.refunded }
        for index in indices { self[index].refunded = targets[index] }
        return changes
    }

    private func refundTargets(_ refunded: Int64, _ sold: Int64) -> [Int64] {
        let isCaptured = contains { $0.captured > 0 }
        var targets = LargestRemainder.allocate(refunded, by: map(isCaptured ? \.captured : \.amount))
        guard refunded > 0, let merchant = firstIndex(where: { $0.kind == .merchant }) else { return targets }
        for index in indices where index != merchant && self[index].returnedOnRefund == .none {
            let kept = LargestRemainder.allocate(targets[index], by: [sold, refunded - sold])[0]
            targets[index] -= kept
            targets[merchant] += kept
        }
        return targets
    }
}
