/// One checkout: an amount, its payments, and the one decision about them.
package struct Order: Hashable, Sendable {
    /// Its identifier.
    package let id: OrderID
    /// The marketplace it belongs to.
    package let marketplace: String
    /// The marketplace's own name for it, unique among its orders that are not failed or canceled.
    package let reference: String?
    /// The amount of the whole checkout.
    package let amount: Money
    /// What the marketplace attached.
    package let metadata: [MetadataItem]
    /// When it was placed.
    package let createdAt: Timestamp
    /// When anything of it last changed.
    package var updatedAt: Timestamp
    /// What the marketplace asked for.
    package var terms: OrderTerms
    /// What was decided.
    package var decision: Decision
    /// Its payments, in the order of the contexts.
    package var payments: [Payment]
    /// What was asked to be given back, in the order of asking.
    package var refunds: [Refund]
    /// What a person should look at, sorted.
    package var attention: [Attention]
    /// Whether somebody was told that its first authorization is about to lapse.
    package var isExpiryTold: Bool
    /// Since when the buyer has something to do, which stops the deadline.
    package var actionSince: Timestamp?
    /// Whether the final answer to its checkout is made.
    package var isAnswered: Bool
    /// The number of its latest event.
    package var eventSequence: Int64
    /// How many things the marketplace was told of it by callback.
    package var announced: Int64
    /// The trace that it was placed in, as `traceparent` writes it (W3C Trace Context); nil if it was not traced.
    package var traceParent: String?
    /// Where its buyer's device follows it in Wallet; nil if nobody does.
    package var walletOrder: WalletOrderReference?
    /// What it has to do with an agreement; nil for nothing.
    package var agreement: AgreementUse?
    /// How many times it was written; a writer that holds another version loads it anew.
    package var version: Int64
    /// Its marketplace's clock, as of its latest step: all moments of the order are by it.
    package var clock: MarketplaceClock

    /// Makes an order of which nothing is decided.
    package init(
        id: OrderID,
        marketplace: String,
        reference: String?,
        amount: Money,
        metadata: [MetadataItem],
        createdAt: Timestamp,
        terms: OrderTerms,
        payments: [Payment],
        clock: MarketplaceClock = .unmoved
    ) {
        self.id = id
        self.marketplace = marketplace
        self.reference = reference
        self.amount = amount
        self.metadata = metadata
        self.createdAt = createdAt
        updatedAt = createdAt
        self.terms = terms
        self.payments = payments
        decision = .pending
        refunds = []
        attention = []
        isExpiryTold = false
        actionSince = nil
        isAnswered = false
        eventSequence = 0
        announced = 0
        version = 0
        self.clock = clock
    }

    /// The moment that the marketplace's clock shows at a real one, as far as the order knows.
    package func time(at real: Timestamp) -> Timestamp { clock.time(at: real) }

    /// The sum of its payments' amounts, in minor units.
    package var payable: Int64 { payments.reduce(0) { $0 + $1.amount } }
    /// What is authorized over all payments.
    package var authorized: Int64 { payments.reduce(0) { $0 + $1.authorized } }
    /// What is captured over all payments, given back or not.
    package var captured: Int64 { payments.reduce(0) { $0 + $1.captured } }
    /// What is given back over all payments.
    package var refunded: Int64 { payments.reduce(0) { $0 + $1.refunded } }

    /// What is charged back over all payments: disputes that are open or lost.
    package var chargedBack: Int64 { payments.reduce(0) { $0 + $1.chargedBack } }

    /// Whether the decision counts on a payment, or may still come to; on one that was called off it does not.
    package func counts(_ payment: Payment) -> Bool {
        guard payment.canceledAt == nil else { return false }
        return switch decision.state {
        case .pending: true
        case .cleared, .accepted: decision.countsOn.contains(payment.id)
        case .refused, .canceled: false
        }
    }

    /// Whether an authorization of a payment is still wanted: the order is not decided, and the payment not called off.
    package func wantsAuthorization(of payment: Payment) -> Bool {
        decision.state == .pending && payment.canceledAt == nil
    }

    /// The earliest moment at which a hold lapses that the decision counts on.
    package var captureBefore: Timestamp? {
        payments.filter(counts).flatMap(\.sale.attempts).filter { $0.held > 0 }.compactMap(\.expiresAt).min()
    }

    /// Where the order stands.
    ///
    /// What was taken and given back of a payment that an accepted order does not count on, or by a second authorization, is no
    /// part of the sale, and what is held of it is no more to be captured. Nobody waits for the buyer's step of a payment that
    /// was called off.
    /// Where nothing is sold, what the buyer's bank took back is given back.
    package var status: OrderStatus {
        let isAccepted = decision.state == .accepted
        let inputs = payments.map { payment in
            var input = OrderStatus.Input(isAccepted ? payment.sale : payment)
            if isAccepted, !counts(payment) { input = .leftOut(payment) }
            if input.state == .requiresAction, !payment.waitsForBuyer { input.state = .voiding }
            if !isAccepted { input.refunded = min(input.captured, input.refunded + payment.chargedBack) }
            return input
        }
        return OrderStatus(capture: terms.capture, decision: decision.state, payments: inputs)
    }
}
