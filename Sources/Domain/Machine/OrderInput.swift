/// Something that an order is told: whatever changes it is one of these.
package enum OrderInput: Hashable, Sendable {
    /// It is about to be written down: its authorizations start. With what of wallet tokens pays which payment, and why.
    case placement(tokens: [PaymentID: [OrderEvent.Detail]], by: Caller?)
    /// What became of an operation.
    case outcome(Report)
    /// What its PSP says by itself.
    case notices(NoticeBatch)
    /// What somebody asks of it; with how the PSPs capture, by their names.
    case request(OrderRequest, by: Caller?, abilities: [String: CaptureAbility])
    /// The oldest of the webhooks about it that were not applied, if there is one; with the attempt that the latest is
    /// about, and the greatest amount that it speaks of.
    case webhookProblem(WebhookID?, about: AttemptID?, amountAtRisk: Int64)
    /// An operator has seen to a webhook that was not applied.
    case webhookDismissal(WebhookID, OrderRequest.Evidence)
    /// Somebody wants to take a due operation in hand.
    case claim(OperationID)
    /// Whoever has an operation in hand is about to send it once more.
    case sending(OperationID, lease: Int64, isAnew: Bool)
    /// Time has passed.
    case tick
    /// More is to be heard before the order decides and starts what follows: nothing of that in this step. Whoever looks at
    /// the order next does it, and the order is due for that at once.
    case deferFollowUp
    /// Whoever had an operation in hand under this lease has died, or did not get to it: somebody else may take it.
    case endLease(OperationID, lease: Int64, LeaseEnd)
    /// Nobody is behind the leases of an instance: it performs nothing, or has ended.
    case releaseLeases(of: String)
    /// The books were restored to an earlier point: what they do not know to be over may have been sent since.
    case restored
}

/// Why a lease ends before its time.
package enum LeaseEnd: Hashable, Sendable {
    /// Its holder is taken for gone; judged by the lease under which the operation was last known to be sent. If it was sent
    /// since, the lease goes on.
    case lost(sentUnderLease: Int64)
    /// Its holder says that nothing left under it.
    case unbegun
}

/// What a PSP told in one message: notices, each with the attempt that it was found to be about.
package struct NoticeBatch: Hashable, Sendable {
    /// A notice and the attempt that it is about.
    package struct Item: Hashable, Sendable {
        /// What the PSP says.
        package let notice: Notice
        /// The attempt; nil if nothing that we know.
        package let attempt: AttemptID?

        /// Pairs a notice with an attempt.
        package init(_ notice: Notice, about attempt: AttemptID?) {
            self.notice = notice
            self.attempt = attempt
        }
    }

    /// The notices, in their order.
    package var items: [Item]
    /// How the PSP times what it works on.
    package var timings: ReportTimings
    /// Whether a capture that we did not start may leave the rest of the hold.
    package var severalCaptures: Bool
    /// Whether the order's authorizations capture in the same call.
    package var isSale: Bool
    /// Disputes, by the PSP's names, whose fee was posted with a settlement file.
    package var settledFees: Set<String>
    /// Whether the PSP tells what became of an operation: when it is asked, or when it is sent the same again.
    package var tellsOutcomes: Bool
    /// Whether a refund that we did not start leaves the marketplace its commission.
    package var keepsCommission: Bool
    /// When they came, in real time, or nil for now: a refusal is about nothing that was sent later.
    package var receivedAt: Timestamp?

    /// Makes a batch.
    package init(
        _ items: [Item],
        timings: ReportTimings = ReportTimings(),
        severalCaptures: Bool = false,
        isSale: Bool = false,
        settledFees: Set<String> = [],
        tellsOutcomes: Bool = false,
        keepsCommission: Bool = false,
        receivedAt: Timestamp? = nil
    ) {
        self.items = items
        self.timings = timings
        self.severalCaptures = severalCaptures
        self.isSale = isSale
        self.settledFees = settledFees
        self.tellsOutcomes = tellsOutcomes
        self.keepsCommission = keepsCommission
        self.receivedAt = receivedAt
    }
}

/// What was heard of an operation.
package struct Report: Hashable, Sendable {
    /// The operation.
    package var operation: OperationID
    /// What became of it.
    package var outcome: Outcome
    /// How the PSP times what it works on.
    package var timings: ReportTimings
    /// Whether it is what a search found beside an authorization that is over; see ``Operation/awaitsSearch``.
    package var isOfSearch: Bool
    /// Whether an authorization in doubt can only be released by our reference: the PSP cannot be asked, and nothing
    /// that was sent can still arrive.
    package var canOnlyBeUndone: Bool
    /// Whether the PSP answered a sending without saying what became of it, so that its key may answer the same again,
    /// or nothing at all.
    package var isAnswered: Bool
    /// Whether what an approval says is captured may leave the rest of the hold, as the adapter declares.
    package var severalCaptures: Bool
    /// The latest moment at which it can have happened, by the marketplace's clock, where what tells of it says so; nil for
    /// now.
    package var happenedBy: Timestamp?
    /// How often the operation had been begun anew when the PSP was called; nil for what was not heard as an answer.
    package var retries: Int64?
    /// The number of the lease under which the PSP was called; nil for what was not heard as an answer.
    package var lease: Int64?

    /// Makes a report.
    package init(
        operation: OperationID,
        outcome: Outcome,
        timings: ReportTimings = ReportTimings(),
        isOfSearch: Bool = false,
        canOnlyBeUndone: Bool = false,
        isAnswered: Bool = false,
        severalCaptures: Bool = false,
        happenedBy: Timestamp? = nil,
        retries: Int64? = nil,
        lease: Int64? = nil
    ) {
        self.operation = operation
        self.outcome = outcome
        self.timings = timings
        self.isOfSearch = isOfSearch
        self.canOnlyBeUndone = canOnlyBeUndone
        self.isAnswered = isAnswered
        self.severalCaptures = severalCaptures
        self.happenedBy = happenedBy
        self.retries = retries
        self.lease = lease
    }
}

/// How a PSP times what it works on, as its adapter declares, in milliseconds.
package struct ReportTimings: Hashable, Sendable {
    /// When to ask again.
    package var pollMilliseconds: Int64
    /// Within what time it finishes.
    package var expectedWithinMilliseconds: Int64
    /// How long an authorization lives if the PSP does not say.
    package var authorizationLifeMilliseconds: Int64
    /// How long what a repeated authorization made beside the one that is known may stay unlisted; nil where a repetition makes
    /// nothing, or nobody can search for it.
    package var repetitionDelayMilliseconds: Int64?

    /// Makes timings.
    package init(
        pollMilliseconds: Int64 = 5000,
        expectedWithinMilliseconds: Int64 = 86_400_000,
        authorizationLifeMilliseconds: Int64 = 604_800_000,
        repetitionDelayMilliseconds: Int64? = nil
    ) {
        self.pollMilliseconds = pollMilliseconds
        self.expectedWithinMilliseconds = expectedWithinMilliseconds
        self.authorizationLifeMilliseconds = authorizationLifeMilliseconds
        self.repetitionDelayMilliseconds = repetitionDelayMilliseconds
    }
}
