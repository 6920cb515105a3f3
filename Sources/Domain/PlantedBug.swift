/// Something wrong on purpose, which the simulation has to find: it shows that its rules can fail.
///
/// Each stands at one place, where the right thing is done unless the mistake is planted (``isPlanted``). One at a time is, in
/// a task and those that it starts. A build for release has none of these places: there nothing is ever planted.
package enum PlantedBug: String, Sendable, CaseIterable {
    /// Each request comes under a key of its own, as if keys were drawn and not derived.
    case drawnKeys = "drawn-keys"
    /// What may have arrived is said never to have left.
    case falseSafety = "false-safety"
    /// Some writes are acknowledged and not stored.
    case forgottenWrites = "forgotten-writes"
    /// Some callbacks are not written down with their step.
    case lostAnnouncements = "lost-announcements"
    /// Callbacks are written down behind their step, in a transaction of their own.
    case lateAnnouncements = "late-announcements"
    /// What is done in a PSP's portal is told to nobody.
    case silentPortal = "silent-portal"

    /// What a PSP did on its own is another effect each time it is told.
    case noticeMergedTwice = "notice-merged-twice"
    /// A notice is about the first payment of its order.
    case noticeOfFirstPayment = "notice-of-first-payment"
    /// A notice about nothing that is known yet is dropped.
    case noticeDropped = "notice-dropped"
    /// A webhook is acknowledged though it could not be stored.
    case webhookUnstored = "webhook-unstored"
    /// That a hold lapsed is not heard.
    case lapseUnheard = "lapse-unheard"
    /// A void of a captured payment in a PSP's portal is taken for a release.
    case voidTakenForRelease = "void-taken-for-release"
    /// That a capture in a PSP's portal was the last is not heard.
    case lastCaptureUnheard = "last-capture-unheard"
    /// The refusal of a capture that is told before its success counts for nothing.
    case refusalForgotten = "refusal-forgotten"
    /// A dispute is kept again with each notice.
    case disputeKeptTwice = "dispute-kept-twice"

    /// What was heard of captures is not kept as a fact.
    case factDropped = "fact-dropped"
    /// An authorization in doubt counts as not sent.
    case doubtTakenForLoss = "doubt-taken-for-loss"
    /// "No trace of it" is believed at once.
    case absenceBelieved = "absence-believed"
    /// A refusal of a replay is believed, whatever the key keeps.
    case replayRefusalBelieved = "replay-refusal-believed"
    /// When an operation was last sent is not written down.
    case sendingUndated = "sending-undated"
    /// A restored order waits for its PSPs from each sending anew.
    case patienceRenewed = "patience-renewed"
    /// What a key that keeps successes only may do again is sent again without a question.
    case resentUnasked = "resent-unasked"
    /// Nobody asks what a repeated authorization made beside the one that was heard of.
    case repetitionUnsearched = "repetition-unsearched"
    /// What is sent once more goes under another key.
    case resentUnderNewKey = "resent-under-new-key"
    /// What an instance left behind without a word of it counts as never sent.
    case leftTakenForUnsent = "left-taken-for-unsent"
    /// What is taken from a dead instance before its lease is over counts as never sent.
    case deadTakenForIdle = "dead-taken-for-idle"
    /// Releases that an instance left behind are taken over by nobody.
    case compensationForgotten = "compensation-forgotten"
    /// What restored books do not know to be over counts as it did when they were written.
    case restoredBooksTrusted = "restored-books-trusted"
    /// An order of restored books decides at its cutoff, before its PSPs were heard.
    case decisionBeforeWord = "decision-before-word"
    /// Each of the PSPs' words that is told to restored books has its consequences at once.
    case followUpEarly = "follow-up-early"
    /// An order is cached past what another instance did.
    case staleOrder = "stale-order"
    /// An order has no time at which it wants to be looked at.
    case wakeUpForgotten = "wake-up-forgotten"
    /// The idempotency key is written down behind the order.
    case keyBehindOrder = "key-behind-order"
    /// Another body under a used key gets the first one's order.
    case keyForAnyBody = "key-for-any-body"
    /// A request that is repeated under its key is done again.
    case requestRepeated = "request-repeated"
    /// The checkout's final answer is not kept.
    case answerUnkept = "answer-unkept"

    /// An approval of less is taken for the whole.
    case partialTakenForWhole = "partial-taken-for-whole"
    /// A part that was captured before its approval is heard is taken for the whole.
    case partTakenForApproval = "part-taken-for-approval"
    /// A hold of which the PSP tells no end lives from when it was heard of.
    case lapseFromHearing = "lapse-from-hearing"
    /// A policy's least amount is not looked at.
    case minimumIgnored = "minimum-ignored"
    /// A refused order keeps what it holds.
    case holdKeptUnwanted = "hold-kept-unwanted"
    /// A buyer's step that is over is called off, also where its money was taken.
    case stepEndedThoughTaken = "step-ended-though-taken"
    /// The cancel of a buyer's step goes on, also where the buyer has finished meanwhile.
    case cancelSentThoughDone = "cancel-sent-though-done"
    /// Captures are sent before the order is decided.
    case captureUndecided = "capture-undecided"
    /// A capture that failed before the acceptance refuses no order.
    case captureFailureForgotten = "capture-failure-forgotten"
    /// A capture that failed behind the acceptance undoes nothing, though its order says so.
    case compensationIgnored = "compensation-ignored"
    /// A release starts beside a capture that is under way.
    case voidBesideCapture = "void-beside-capture"
    /// More is captured on request than is held.
    case captureAboveHold = "capture-above-hold"
    /// What refunds under way claim is given back again.
    case refundAboveCaptured = "refund-above-captured"
    /// A capture of a part releases the rest at once.
    case restReleased = "rest-released"
    /// What was asked for counts as done, whatever the PSP says it did.
    case amountAsAsked = "amount-as-asked"

    /// Units that rounding leaves over are nobody's.
    case residueLost = "residue-lost"
    /// Each capture is posted twice.
    case postedTwice = "posted-twice"
    /// Chargebacks are posted the other way round.
    case postingReversed = "posting-reversed"
    /// Yens have two digits at Adyen.
    case exponentWrong = "exponent-wrong"
    /// A hold's end is read in another time zone at Checkout.com.
    case expiryInOtherZone = "expiry-in-other-zone"
    /// Stripe is not told how much of a hold to capture.
    case captureAmountUnsaid = "capture-amount-unsaid"
    /// A refund that Adyen has taken on counts as done.
    case pendingTakenForDone = "pending-taken-for-done"

    /// A number of a merchant's callbacks is used again.
    case sequenceReused = "sequence-reused"
    /// A number of an order's events is used again.
    case eventNumberReused = "event-number-reused"
    /// Merchants hear of payments of orders that were not accepted.
    case merchantToldEarly = "merchant-told-early"
    /// A callback that its endpoint failed to take counts as delivered.
    case failureTakenForDelivery = "failure-taken-for-delivery"
    /// Nobody is told of captures that failed.
    case attentionUnraised = "attention-unraised"
    /// Nobody is told of what stays in doubt.
    case doubtUnraised = "doubt-unraised"
    /// Credentials are kept behind the definite outcome.
    case credentialKept = "credential-kept"

    /// An agreement that ended is charged.
    case chargedBehindEnd = "charged-behind-end"
    /// More is charged than an agreement's maximum.
    case agreedMaximumIgnored = "agreed-maximum-ignored"
    /// A deferred payment is charged as often as somebody asks for it.
    case deferredChargedTwice = "deferred-charged-twice"
    /// A PSP is not asked to forget the method of an agreement that ended.
    case methodKept = "method-kept"

    /// A corrected report counts beside the one whose place it takes.
    case correctionAdded = "correction-added"
    /// Fees stay booked when their report is corrected.
    case feeUncorrected = "fee-uncorrected"
    /// What a dispute takes is expected the other way round in reports.
    case chargebackTurned = "chargeback-turned"
    /// A payout that the bank paid stays open for the next entry.
    case payoutLeftOpen = "payout-left-open"
    /// A report's line that nothing met is not looked at again.
    case openLineForgotten = "open-line-forgotten"
    /// That a PSP never reported what it did is said to nobody.
    case lossUnreported = "loss-unreported"
    /// What a later file explains stays a difference.
    case breakUnclosed = "break-unclosed"
    /// A file that ends inside its last line counts as whole.
    case cutUnnoticed = "cut-unnoticed"
    /// Of two reconciliations at a time both count.
    case disturbanceIgnored = "disturbance-ignored"

    #if DEBUG
    @TaskLocal private static var planted: PlantedBug?

    /// Whether this build has places for mistakes.
    package static let canBePlanted = true

    /// Whether it is what is wrong in the present task.
    package var isPlanted: Bool { Self.planted == self }

    /// Runs a body in which one is planted, or none, in all the tasks that it starts as well.
    package static func withPlanted<Value>(_ bug: PlantedBug?, _ body: () throws -> Value) rethrows -> Value {
        try $planted.withValue(bug, operation: body)
    }
    #else
    /// Whether this build has places for mistakes: it has none.
    package static let canBePlanted = false

    /// Whether it is what is wrong in the present task: never.
    @inlinable package var isPlanted: Bool { false }

    /// Runs a body in which nothing is planted.
    package static func withPlanted<Value>(_ bug: PlantedBug?, _ body: () throws -> Value) rethrows -> Value {
        try body()
    }
    #endif
}
