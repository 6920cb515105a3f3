/// The part of an order for one token context.
package struct Payment: Hashable, Sendable {
    /// Its identifier.
    package let id: PaymentID
    /// The merchant.
    package let merchant: MerchantID
    /// The merchant's external identifier.
    package let externalIdentifier: String
    /// The amount asked for, in minor units of the order's currency.
    package let amount: Int64
    /// The context's own reference, which its merchant sees.
    package let reference: String?
    /// The context's metadata, which its merchant sees.
    package let metadata: [MetadataItem]
    /// Who gets what, frozen at sale.
    package var allocation: [AllocationLine]
    /// The tries to authorize it, the latest last; never empty.
    package var attempts: [Attempt]
    /// Other routes that could authorize it, in order; none of them was tried yet.
    package var alternatives: [RouteSnapshot]
    /// When another route may be tried.
    package var reroute: FallbackRule
    /// Who bears what disputes take of it, frozen at sale.
    package var disputeLiability = DisputeLiability.merchant
    /// When it was called off on request, alone or with others: it counts no more, and what it holds or takes is undone.
    ///
    /// Nil for one that was not, or of which something was captured before: of that only the rest is let go of.
    package var canceledAt: Timestamp?
    /// What the buyer's bank disputes of it, in the order of hearing.
    package var disputes: [Dispute] = []
    /// How many things its merchant was told of it by callback.
    package var announced: Int64 = 0

    /// Makes a payment.
    package init(
        id: PaymentID,
        merchant: MerchantID,
        externalIdentifier: String,
        amount: Int64,
        reference: String?,
        metadata: [MetadataItem],
        allocation: [AllocationLine],
        attempts: [Attempt],
        alternatives: [RouteSnapshot] = [],
        reroute: FallbackRule = .never
    ) {
        self.id = id
        self.merchant = merchant
        self.externalIdentifier = externalIdentifier
        self.amount = amount
        self.reference = reference
        self.metadata = metadata
        self.allocation = allocation
        self.attempts = attempts
        self.alternatives = alternatives
        self.reroute = reroute
    }

    /// Its attempts, the sale's before the PSP's second authorizations, and of each the latest first.
    var attemptsBySale: [Attempt] {
        let latest = attempts.reversed()
        return latest.filter { !$0.isSurplus } + latest.filter(\.isSurplus)
    }

    /// The latest attempt of ours.
    ///
    /// - Precondition: there is one, which placing and loading see to.
    package var attempt: Attempt {
        guard let last = attempts.indices.last(where: { !attempts[$0].isSurplus }) else {
            preconditionFailure("a payment has an attempt from its placement on")
        }
        return attempts[last]
    }

    /// The payment without second authorizations: they are undone, whatever is sold, and nobody has to hear of them.
    package var sale: Payment {
        guard attempts.contains(where: \.isSurplus) else { return self }
        var sale = self
        sale.attempts.removeAll(where: \.isSurplus)
        return sale
    }

    /// The attempt under whose name the PSP knows an attempt: a second authorization has that of the one whose request made
    /// it.
    package func nameAtPSP(of attempt: Attempt) -> AttemptID {
        guard attempt.isSurplus else { return attempt.id }
        return attempts.first { !$0.isSurplus && $0.route == attempt.route }?.id ?? attempt.id
    }

    /// Whether the PSP, or an operator, told of something that was done to an attempt's payment, which exists there then,
    /// whatever became of its approval.
    package func isActedOn(_ attempt: Attempt) -> Bool {
        attempt.isApproved || attempt.operations.contains { $0.origin != .gateway && $0.state.hasSucceeded }
            || disputes.contains { $0.attempt == attempt.id }
    }

    /// What is approved, in minor units.
    package var authorized: Int64 { sum(\.authorized) }
    /// What is captured, given back or not.
    package var captured: Int64 { sum(\.captured) }
    /// What is given back.
    package var refunded: Int64 { sum(\.refunded) }
    /// What is still held on the card.
    package var held: Int64 { sum(\.held) }
    /// What is captured and not given back.
    package var net: Int64 { sum(\.net) }

    /// When the PSP approved it, or took money of it that it could not take otherwise; nil if it did not.
    package var authorizedAt: Timestamp? { attempt.authorization.succeededAt ?? capturedAt }
    /// When the first of it was captured that did not fail after all; nil while nothing is.
    package var capturedAt: Timestamp? {
        attempts.flatMap { $0.all(.capture) }.filter { $0.state == .succeeded && $0.doneAmount > 0 }
            .compactMap(\.succeededAt).min()
    }

    /// Whether anything asked for it may still come to something.
    package var isUnresolved: Bool {
        attempts.indices.contains { attempt in
            let operations = attempts[attempt].operations
            return operations.indices.contains { !operations[$0].state.isDefinite }
        }
    }

    private func sum(_ part: (AttemptAmounts) -> Int64) -> Int64 {
        attempts.indices.reduce(0) { $0 + part(AttemptAmounts(of: attempts[$1].operations)) }
    }
}

/// A key and a value that the marketplace attached.
package struct MetadataItem: Hashable, Sendable {
    /// The key.
    package let key: String
    /// The value.
    package let value: String

    /// Makes an item.
    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
