/// One thing asked of a PSP for an attempt.
///
/// Its state is a fold over what was heard of it; see ``OperationState``.
package struct Operation: Hashable, Sendable {
    /// What is asked.
    package enum Kind: String, Sendable {
        /// Hold the amount.
        case authorize
        /// Take the amount.
        case capture
        /// Release the authorization.
        case void
        /// Give back a captured amount.
        case refund
        /// Void a capture that has not settled yet, which gives back all of it.
        case reverse
    }

    /// Who started it.
    package enum Origin: String, Sendable {
        /// We did.
        case gateway
        /// The PSP did, or somebody in its dashboard.
        case psp
        /// An operator said so.
        case `operator`
    }

    /// Its identifier; idempotency keys derive from it.
    package let id: OperationID
    /// What is asked.
    package let kind: Kind
    /// The amount asked for, in minor units of the order's currency.
    package let amount: Int64
    /// Who started it.
    package let origin: Origin
    /// When it was written down.
    package let createdAt: Timestamp
    /// The refund it belongs to; nil for what is no refund, or gives back what the order never sold.
    package let refund: RefundID?
    /// For a capture: whether what it leaves of the hold is released.
    package let isFinal: Bool

    /// The part of the amount that is commission and tax on it, in minor units, fixed when it was written down.
    ///
    /// A PSP that keeps the commission is told this with a capture or a refund, the same at each try; of a capture that we
    /// did not start, a sale in one call among them, it keeps it as told with the authorization. Nil on other routes, for
    /// authorizations and voids, and for refunds that we did not start.
    package var commission: Int64?
    /// What is known of it.
    package var state: OperationState = .open
    /// The amount it acted on once it succeeded, in minor units.
    package var doneAmount: Int64 = 0
    /// The PSP's name for what it made.
    package var reference: String?
    /// When anything was first heard of it, failures included.
    package var repliedAt: Timestamp?
    /// How many times an instance took it in hand.
    ///
    /// What was ever taken in hand counts as perhaps sent.
    package var leases: Int64 = 0
    /// How many times it was left in doubt, which sets how long to wait before the next try.
    package var doubts: Int64 = 0
    /// When it wants to be taken in hand: now or later, or, while leased, when the lease runs out; nil at rest.
    package var dueAt: Timestamp?
    /// The instance that has it in hand.
    package var leasedBy: String?

    /// Makes an operation of which nothing has been heard.
    package init(
        id: OperationID,
        kind: Kind,
        amount: Int64,
        origin: Origin,
        createdAt: Timestamp,
        refund: RefundID? = nil,
        isFinal: Bool = true
    ) {
        self.id = id
        self.kind = kind
        self.amount = amount
        self.origin = origin
        self.createdAt = createdAt
        self.refund = refund
        self.isFinal = isFinal
    }

    /// Whether it may still come to something.
    package var isOpen: Bool { !state.isDefinite }

    /// Whether it was written down to be done later, and nobody took it in hand yet.
    var isForLater: Bool { leases == 0 && dueAt.map { $0 > createdAt } ?? false }

    /// Whether it gives money back.
    package var givesBack: Bool { kind == .refund || kind == .reverse }

    /// Whether it succeeded without the PSP's naming what it made, which may have acted on `amount`.
    ///
    /// Of refunds there may be several, so that the amount has to tell.
    func isUnnamed(asTo amount: Int64) -> Bool {
        reference == nil && state == .succeeded && (kind != .refund || doneAmount == amount)
    }

    /// Whether it is on its way to the PSP right now and nothing at all was heard of it.
    var isInFlight: Bool { state == .open && leasedBy != nil }
}
