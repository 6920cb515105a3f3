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
    /// For a capture: whether what it leaves of the hold is released; of one that a refund implies known once it is told.
    package var isFinal: Bool
    /// For a capture of ours that was refused: whether another one was asked for since, which takes its place.
    package var isReplaced = false
    /// For a void: whether it calls off a step that the buyer did not finish, and releases nothing that was known to be held.
    package var cancelsStep = false

    /// The part of the amount that is commission and tax on it, in minor units, fixed when it was written down.
    ///
    /// A PSP that keeps the commission is told this with a capture or a refund, the same at each try; of a capture that we
    /// did not start, a sale in one call among them, it keeps it as told with the authorization. Nil on other routes, for
    /// authorizations and voids, and for refunds that we did not start, unless the PSP is known to give nothing of it back.
    package var commission: Int64?
    /// What is known of it.
    package var state: OperationState = .open
    /// The amount it acted on once it succeeded, in minor units.
    package var doneAmount: Int64 = 0
    /// The PSP's name for what it made.
    package var reference: String?
    /// When anything was first heard of it, failures included.
    package var repliedAt: Timestamp?
    /// When it succeeded, if something else was heard of it before: a step of the buyer's, or that it takes a while.
    package var succeededLaterAt: Timestamp?
    /// Whether it is said to have failed after all, and nobody had said before that it succeeded: it may never have.
    package var hasFailedUnheard = false
    /// How many times an instance took it in hand.
    ///
    /// What was ever taken in hand counts as perhaps sent.
    package var leases: Int64 = 0
    /// How many times it was left in doubt, or a search told nothing, which sets how long to wait before the next try.
    package var doubts: Int64 = 0
    /// How many times it may have been sent since it was last begun anew; none while nothing can have left.
    package var sendings: Int64 = 0
    /// The number of the lease under which it was last sent.
    package var sentUnderLease: Int64 = 0
    /// When it was last sent at the latest known moment before the wire; nil while nothing can have left.
    ///
    /// A lease alone is not a sending: this is written in the transaction that precedes the wire. "The PSP has no trace
    /// of it" is believed only one call time and the PSP's visibility delay after it.
    package var sentAt: Timestamp?
    /// By how much its marketplace's clock was moved forward since it was written down and before it came to anything, in
    /// microseconds: so much of its age is none to a PSP.
    package var skippedMicroseconds: Int64 = 0
    /// When it was first sent since it was last begun anew, likewise; of what restored books had as unsent, no earlier than the
    /// restore.
    package var firstSentAt: Timestamp?
    /// When restored books marked it last as perhaps sent behind the point they were restored to; nil if none did.
    ///
    /// It stays where it is, however often the operation is sent again since.
    package var distrustedAt: Timestamp?
    /// Whether a sending under its present key was answered without saying what became of it.
    package var isAnsweredInDoubt = false
    /// How many times it was begun anew under another key, after a refusal or where the PSP proved to have no trace.
    package var retries: Int64 = 0
    /// When it wants to be taken in hand: now or later, or, while leased, when the lease runs out; nil at rest.
    ///
    /// Of one that is over, see ``awaitsSearch``.
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

    /// When it succeeded, whether or not it failed after all since; nil if it never did.
    package var succeededAt: Timestamp? { state.hasSucceeded ? succeededLaterAt ?? repliedAt ?? createdAt : nil }

    /// When it was written down, by the marketplace's clock as it stood when the operation came to something, or stands now:
    /// no sending of it was earlier.
    package var realStart: Timestamp { createdAt.adding(milliseconds: skippedMicroseconds / 1000) }

    /// Whether it may still come to something.
    package var isOpen: Bool { !state.isDefinite }

    /// Whether it is an authorization of ours that was sent more than once, so that its PSP may have made more than one thing
    /// of it.
    package var mayHaveSurplus: Bool { kind == .authorize && origin != .psp && sendings > 1 }

    /// Whether it is over, and its PSP is to be asked, when it is due, what else was made under its name.
    package var awaitsSearch: Bool { !isOpen && mayHaveSurplus && dueAt != nil }

    /// Whether it was written down to be done later, and nobody took it in hand yet.
    var isForLater: Bool { leases == 0 && dueAt.map { $0 > createdAt } ?? false }

    /// Whether it was asked of the PSP behind the authorizations, and nothing was heard of it yet.
    package var awaitsFirstReply: Bool { kind != .authorize && repliedAt == nil && !isForLater }

    /// What it did, or may have done as long as it is not known to have done anything.
    var doneOrAsked: Int64 { state == .succeeded ? doneAmount : amount }

    /// Whether it gives money back.
    package var givesBack: Bool { kind == .refund || kind == .reverse }

    /// Whether it succeeded without the PSP's naming what it made, which may have acted on `amount`.
    ///
    /// Of refunds there may be several, so that the amount has to tell.
    func isUnnamed(asTo amount: Int64) -> Bool {
        reference == nil && state == .succeeded && (kind != .refund || doneAmount == amount)
    }

    /// Whether it was sent at most once, under the present lease, and nothing at all was heard of it.
    var isFirstTry: Bool { sendings <= 1 && state == .open }

    /// Whether what is heard of it now answers the only sending that there was.
    var isOnlySending: Bool { isFirstTry || (sendings == 1 && isInFlight) }

    /// Whether it is a capture that nobody told of: a refund of `authorization`'s attempt implies it.
    ///
    /// One that was told, or that an approval or a refusal names the amount of, has a name, releases the rest or takes
    /// less than the whole.
    func isImplied(after authorization: Operation) -> Bool {
        kind == .capture && origin == .psp && reference == nil && !isFinal && amount == authorization.amount
    }

    /// Whether it was kept as the PSP's own until the effect turned out to be another operation's.
    package var isWithdrawn: Bool {
        guard origin != .gateway, kind == .capture || givesBack else { return false }
        if case .reversed(let rejection) = state { return rejection.code == Rejection.explained.code }
        return state == .succeeded && doneAmount == 0
    }

    /// Whether it is a capture that we took back before anything of it left, since the order did not want it any more.
    var isTakenBack: Bool { kind == .capture && state == .notSent(reason: Self.unwanted) }

    /// Why a capture is taken back.
    static let unwanted = "the order does not want it any more"

    /// Whether it is a capture or a refund of ours that made something, and something else than what is named so.
    func hasMade(anotherThan reference: String?) -> Bool {
        guard origin != .psp, kind == .capture || kind == .refund, state.hasSucceeded else { return false }
        return self.reference != nil && reference != nil && self.reference != reference
    }

    /// Whether it is a void that the PSP told of, which is named; a hold that lapses by itself is not.
    var isToldVoid: Bool { kind == .void && origin == .psp && state == .succeeded && reference != nil }

    /// Whether it is what captures of somebody else's came to beside what was known, as the PSP told without naming them.
    var isSumOfOthers: Bool {
        kind == .capture && origin == .psp && state == .succeeded && reference == nil && !isFinal
    }

    /// Whether it is a capture of somebody else's that the PSP told of by its name, and that failed after all.
    var isOthersReversedCapture: Bool {
        kind == .capture && origin == .psp && reference != nil && state.hasSucceeded && !state.isDone && !isWithdrawn
    }

    /// Whether it is on its way to the PSP right now, nothing at all was heard of it, and nothing had left before.
    var isInFlight: Bool {
        guard leasedBy != nil else { return false }
        if case .unknown = state { return sendings == 1 && sentUnderLease == leases }
        return state == .open
    }
}
