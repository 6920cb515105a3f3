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
        /// What the buyer gave on top for the service.
        case tip
        /// What the buyer pays for the way to them.
        case shipping
    }

    /// Whose a tip or shipping is.
    package enum Keeper: String, Sendable, CaseIterable {
        /// The payment's merchant.
        case merchant
        /// The marketplace, which does the service or the shipping itself.
        case marketplace
    }

    /// What the share is for.
    package let kind: Kind
    /// Who it belongs to: a merchant's external identifier or the marketplace's id.
    package let party: String
    /// Who keeps it, of a tip or shipping; of no meaning to other kinds.
    ///
    /// ``party`` alone does not say it, since a merchant may be named as the marketplace is.
    package let keptBy: Keeper
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
        returnedOnRefund: CommissionRule.Return = .proRata,
        keptBy: Keeper = .merchant
    ) {
        self.kind = kind
        self.party = party
        self.keptBy = keptBy
        self.amount = amount
        self.captured = captured
        self.refunded = refunded
        self.returnedOnRefund = returnedOnRefund
    }
}

extension AllocationLine {
    /// Whether it is the merchant's money: its proceeds, and tips and shipping that nobody else keeps.
    package var isMerchants: Bool {
        switch kind {
        case .merchant: true
        case .tip, .shipping: keptBy == .merchant
        case .commission, .commissionTax, .tax: false
        }
    }
}

extension [AllocationLine] {
    /// What is not the merchant's of a whole sale, in minor units: what a PSP that keeps it is told with the authorization.
    ///
    /// It is commission and tax on it, and tips and shipping that the marketplace keeps.
    package var commission: Int64 { reduce(0) { $0 + ($1.isMerchants ? 0 : $1.amount) } }

    /// Whether the marketplace keeps some of what is its own of what is refunded, and gives back some: a commission that
    /// stays beside a tip or shipping.
    package var returnsUnevenly: Bool {
        Set(filter { !$0.isMerchants && $0.amount > 0 }.map(\.returnedOnRefund)).count > 1
    }

    /// What is given back of what is the merchant's, in minor units.
    package var refundedOfMerchant: Int64 { reduce(0) { $0 + ($1.isMerchants ? $1.refunded : 0) } }

    /// Draws the lines down to `captured` units in all, and answers the change of each.
    ///
    /// Targets are cumulative, so any series of partial captures ends where one whole capture would. A change can
    /// be one unit below zero (the Alabama paradox of largest remainders); bookkeeping then posts it backwards.
    ///
    /// - Parameters:
    ///   - captured: what is captured in all.
    ///   - kept: the part of it that a PSP kept for the marketplace, at most `captured`; a share of it unless said.
    /// - Returns: the change of each line.
    package mutating func capture(upTo captured: Int64, keeping kept: Int64? = nil) -> [Int64] {
        let targets = captureTargets(captured, keeping: kept)
        let changes = zip(targets, self).map { $0 - $1.captured }
        for index in indices { self[index].captured = targets[index] }
        return changes
    }

    private func captureTargets(_ captured: Int64, keeping kept: Int64?) -> [Int64] {
        let shares = LargestRemainder.allocate(captured, by: map(\.amount))
        func ours(_ amounts: [Int64]) -> Int64 { zip(self, amounts).reduce(0) { $0 + ($1.0.isMerchants ? 0 : $1.1) } }
        guard let kept, kept != ours(shares), kept <= captured else { return shares }
        let ourWeights = map { $0.isMerchants ? 0 : $0.amount }
        let theirWeights = map { $0.isMerchants ? $0.amount : 0 }
        // What nobody has a part in cannot be divided.
        guard kept == 0 || ourWeights.contains(where: { $0 > 0 }),
            kept == captured || theirWeights.contains(where: { $0 > 0 })
        else { return shares }
        let parts = zip(
            LargestRemainder.allocate(kept, by: ourWeights),
            LargestRemainder.allocate(captured - kept, by: theirWeights)
        )
        return parts.map { $0 + $1 }
    }

    /// Gives back `refunded` units in all out of what is captured, and answers the change of each line.
    ///
    /// - Parameters:
    ///   - refunded: what is given back in all.
    ///   - sold: the part of it that gives back a sale, of which lines may keep their share; the rest undoes what
    ///     was never sold, and comes back from all lines alike. All of it unless said.
    ///   - returned: what of it a PSP gave back of what it had kept for the marketplace; what the lines say unless said.
    /// - Returns: the change of each line.
    package mutating func refund(
        upTo refunded: Int64,
        ofWhichSold sold: Int64? = nil,
        returning returned: Int64? = nil
    ) -> [Int64] {
        var targets = refundTargets(refunded, sold ?? refunded)
        if let returned { targets = divide(targets, returning: returned) }
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

    /// The same in all, of which `returned` comes back from the lines that are not the merchant's.
    ///
    /// No more than they have.
    private func divide(_ targets: [Int64], returning told: Int64) -> [Int64] {
        let ours = zip(self, targets).map { $0.isMerchants ? 0 : $1 }
        let refunded = targets.reduce(0, +)
        let isCaptured = contains { $0.captured > 0 }
        let whole = map { isCaptured ? $0.captured : $0.amount }
        let sold = zip(self, whole).map { $0.isMerchants ? $1 : 0 }
        let returned = Swift.min(told, whole.reduce(0, +) - sold.reduce(0, +))
        // Of what was captured for others alone the merchant bears what they keep.
        let theirs = sold.contains { $0 > 0 } ? sold : map { $0.isMerchants ? $0.amount : 0 }
        // What nobody has a part in cannot be divided.
        guard 0...refunded ~= returned, returned != ours.reduce(0, +),
            returned == 0 || ours.contains(where: { $0 > 0 }),
            returned == refunded || theirs.contains(where: { $0 > 0 })
        else { return targets }
        let parts = zip(
            LargestRemainder.allocate(returned, by: ours),
            LargestRemainder.allocate(refunded - returned, by: theirs)
        )
        return parts.map { $0 + $1 }
    }
}

/// Divides whole units by weights, exactly (Hamilton's method).
package enum LargestRemainder {
    /// Shares of `total` in proportion to `weights`, which sum to `total` exactly.
    ///
    /// Each share is within one unit of its ideal; units left by rounding down go to the largest remainders, ties
    /// to the earlier line. Products are 128 bits wide, so nothing overflows.
    ///
    /// - Precondition: `total` and all weights are at least 0, and some weight is above 0 unless `total` is 0.
    package static func allocate(_ total: Int64, by weights: [Int64]) -> [Int64] {
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
        guard total > 0 else { return weights.map { _ in 0 } }
        precondition(sum > 0, "units cannot be divided among weights of zero")
        let products = weights.map { Int128(total) * Int128($0) }
        var shares = products.map { Int64($0 / sum) }
        let left = Int(total - shares.reduce(0, +))
        let byRemainder = products.indices.sorted { first, second in
            let (one, other) = (products[first] % sum, products[second] % sum)
            return one == other ? first < second : one > other
        }
        for index in byRemainder.prefix(PlantedBug.residueLost.isPlanted ? 0 : left) { shares[index] += 1 }
        return shares
    }
}

extension Order {
    /// What is not the merchant's in a capture or a refund of a payment that is about to be asked for, in minor units.
    ///
    /// Together with what the others that succeeded or may succeed were told, it comes to the share of their sum:
    /// any series of partial ones is told exactly what one whole one would be.
    func commission(of operation: Operation, in payment: Payment) -> Int64? {
        let isCapture = operation.kind == .capture
        guard isCapture || operation.givesBack else { return nil }
        // What succeeded with nothing is another one's by now; a refund that left the commission has no part in it.
        let live = payment.attempts.flatMap(\.operations).filter {
            ($0.isOpen || ($0.state == .succeeded && $0.doneAmount > 0))
                && (isCapture ? $0.kind == .capture : $0.givesBack && ($0.origin == .gateway || $0.commission == nil))
        }
        var lines = payment.allocation
        func share(of amount: Int64, sold: Int64) -> Int64 {
            let changes: [Int64]
            if isCapture {
                for index in lines.indices { lines[index].captured = 0 }
                changes = lines.capture(upTo: amount)
            } else {
                for index in lines.indices { lines[index].refunded = 0 }
                changes = lines.refund(upTo: amount, ofWhichSold: sold)
            }
            return zip(lines, changes).reduce(0) { $0 + ($1.0.isMerchants ? 0 : $1.1) }
        }
        func amount(of operations: [Operation]) -> Int64 {
            operations.reduce(0) { $0 + ($1.isOpen ? $1.amount : $1.doneAmount) }
        }
        func sold(of operations: [Operation]) -> Int64 {
            amount(of: operations.filter { givesBackSale($0, of: payment) })
        }
        let all = live + [operation]
        let told = live.reduce(0) { sum, other in
            sum + (other.commission ?? share(of: amount(of: [other]), sold: sold(of: [other])))
        }
        return min(operation.amount, max(0, share(of: amount(of: all), sold: sold(of: all)) - told))
    }

    /// What PSPs gave back of what they kept for the marketplace with each refund of a payment, in minor units, where one gave
    /// something back that we did not ask for and is known to have left the commission; nil otherwise, where the lines say it.
    ///
    /// Of a refund of which nobody knows it is the refund's own share.
    package func commissionsReturned(of payment: Payment) -> [OperationID: Int64]? {
        let refunds = payment.attempts.flatMap(\.operations).filter {
            $0.givesBack && $0.state == .succeeded && $0.doneAmount > 0
        }
        guard refunds.contains(where: { $0.origin != .gateway && $0.commission != nil }),
            refunds.reduce(0, { $0 + $1.doneAmount }) == payment.refunded
        else { return nil }
        var returned: [OperationID: Int64] = [:]
        for refund in refunds {
            returned[refund.id] = min(refund.doneAmount, refund.commission ?? commissionShare(of: refund, in: payment))
        }
        return returned
    }

    /// What is not the merchant's in a refund of a payment by itself, in minor units.
    private func commissionShare(of refund: Operation, in payment: Payment) -> Int64 {
        var lines = payment.allocation
        for index in lines.indices { lines[index].refunded = 0 }
        let sold = givesBackSale(refund, of: payment) ? refund.doneAmount : 0
        let changes = lines.refund(upTo: refund.doneAmount, ofWhichSold: sold)
        return zip(lines, changes).reduce(0) { $0 + ($1.0.isMerchants ? 0 : $1.1) }
    }

    /// What a PSP keeps of a capture that we did not ask for, in minor units: the commission that it was told with the
    /// authorization, as far as other captures of it have not kept it.
    func commissionTold(forCaptureOf amount: Int64, of attempt: Attempt, in payment: Payment) -> Int64 {
        min(amount, max(0, payment.commissionsKept(of: attempt).values.reduce(payment.allocation.commission, -)))
    }
}

extension Payment {
    /// What PSPs keep for the marketplace of each capture that succeeded, in minor units; nothing of those at PSPs that keep
    /// nothing for it.
    ///
    /// With our captures a PSP is told what to keep. Of others, those in its portal among them, it keeps the rest of what it was
    /// told with the authorization, at most what is captured (Stripe's `application_fee_amount`). Of a second authorization it
    /// keeps as much again.
    package var commissionsKept: [OperationID: Int64] {
        attempts.reduce(into: [:]) { kept, attempt in kept.merge(commissionsKept(of: attempt)) { one, _ in one } }
    }

    /// What the PSP of an attempt keeps of each of its captures.
    func commissionsKept(of attempt: Attempt) -> [OperationID: Int64] {
        guard attempt.route.takesApplicationFee else { return [:] }
        let captures = attempt.all(.capture).filter { $0.doneAmount > 0 }
        var kept: [OperationID: Int64] = [:]
        for capture in captures where capture.origin == .gateway {
            kept[capture.id] = capture.commission.map { min(capture.doneAmount, $0) }
        }
        var rest = max(0, kept.values.reduce(allocation.commission, -))
        for capture in captures where capture.origin != .gateway {
            let part = min(capture.doneAmount, rest)
            kept[capture.id] = part
            rest -= part
        }
        return kept
    }

    /// What PSPs kept for the marketplace of what is captured, in minor units, where something was captured that we did not
    /// ask for, or less than we asked for; nil if nothing was, or a PSP keeps nothing for the marketplace.
    var commissionKept: Int64? {
        let captures = attempts.filter { $0.captured > 0 }.flatMap { $0.all(.capture) }.filter { $0.doneAmount > 0 }
        let kept = commissionsKept
        guard captures.contains(where: { $0.origin != .gateway || $0.doneAmount < $0.amount }),
            captures.allSatisfy({ kept[$0.id] != nil }), captures.reduce(0, { $0 + $1.doneAmount }) == captured
        else { return nil }
        return captures.reduce(0) { $0 + (kept[$1.id] ?? 0) }
    }
}
