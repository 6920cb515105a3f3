import AdapterKit
import Domain

/// Chooses how an operation is carried on: sent, asked after, or left to a webhook or a person; and says what an answer tells of
/// it, given what may have been sent before.
///
/// Pure. There is no second path for crashes: what any instance ever had in hand counts as perhaps sent.
struct ResumePolicy {
    /// How to carry on.
    enum Action: Hashable, Sendable {
        /// Send it. If it was sent before, its key makes this a replay.
        case send
        /// Ask what became of it.
        case inquire
        /// Nothing can be asked.
        case wait
    }

    /// What follows from the answer to an inquiry.
    enum Finding: Hashable, Sendable {
        /// It is known, or stays in doubt.
        case outcome(Outcome)
        /// The PSP proved to have no trace of it: it is sent again, under another key if the present one would only
        /// repeat an answer that told nothing.
        case sendAgain(underNewKey: Bool)
        /// The PSP does not see it yet, and may do it twice at no more harm than a second hold: it is repeated.
        case replay
    }

    /// An idempotency key is not relied on in the last hour of its retention.
    private static let retentionMarginMilliseconds: Int64 = 3_600_000

    let order: Order
    let attempt: Attempt
    let operation: Operation
    let capabilities: Capabilities
    let settings: GatewaySettings
    /// The moment, by the marketplace's clock.
    let now: Timestamp

    /// Whether an operation may be taken from an instance that gives no sign of life before its lease is over, even if that
    /// instance lives after all, cannot reach the database, and is about to send it.
    ///
    /// What it has not recorded as sent under its present lease it cannot send any more: that has to be recorded first, and
    /// no step records it for who has lost the lease. What it may be sending is harmless to take where the key has the PSP
    /// answer both sendings alike, and where the PSP is only asked: "no trace of it" is not believed before the lease would
    /// have been over (``isAbsenceProven``). A key that keeps successes alone promises nothing of a sending whose neighbour
    /// was refused; there the lease is waited for.
    static func mayTakeEarly(_ operation: Operation, _ capabilities: Capabilities?) -> Bool {
        guard let capabilities else { return false }
        if operation.sentUnderLease < operation.leases || operation.state.isWorkedOn { return true }
        guard case .key(_, let keeps) = capabilities.idempotency else { return true }
        return keeps != .successes
    }

    /// Whether it may have been sent under an earlier lease than the present one.
    var wasSentBefore: Bool { operation.wasSent && operation.sentUnderLease < operation.leases }

    /// The end of the leases that an instance has, as far as others may take early what it has in hand.
    static func handover(
        _ order: Order,
        of instance: String,
        _ capabilities: (Attempt) -> Capabilities?
    ) -> [OrderInput] {
        order.payments.flatMap(\.attempts).flatMap { attempt in
            attempt.operations
                .filter { $0.leasedBy == instance && mayTakeEarly($0, capabilities(attempt)) }
                .map(OrderInput.init(ending:))
        }
    }

    /// The action for an operation whose credential is at hand or not.
    func action(hasCredential: Bool) -> Action {
        if operation.awaitsSearch { return .inquire }
        guard wasSentBefore else { return .send }
        if operation.state.isWorkedOn { return inquiry }
        if operation.kind == .authorize, !hasCredential || !isWanted { return inquiry }
        return isReplaySafe ? .send : inquiry
    }

    /// What the answer to an inquiry comes to, with the credential at hand or not.
    func finding(_ outcome: Outcome, hasCredential: Bool = false) -> Finding {
        guard case .rejected(let rejection) = outcome, rejection.reason == .notFound else {
            let isHidden = outcome.isRefusal && mayHideSending
            return .outcome(isHidden ? .unknown(reason: "another sending may have come through") : outcome)
        }
        guard isAbsenceProven else {
            if hasCredential, isHoldAskedFirst { return .replay }
            return .outcome(.unknown(reason: "the PSP does not see it yet"))
        }
        let isGone = operation.kind == .authorize || operation.state.isWorkedOn
        return isGone ? .outcome(outcome) : .sendAgain(underNewKey: needsNewKey)
    }

    /// Why the answer to a replay leaves the operation in doubt; nil if it says what became of it.
    ///
    /// A refusal for our own mistake, or any at a PSP whose keys keep successes only, says nothing of the first sending,
    /// which may have arrived.
    func doubt(afterReplay outcome: Outcome) -> ReplayDoubt? {
        guard wasSentBefore, outcome.isRefusal, !PlantedBug.replayRefusalBelieved.isPlanted else { return nil }
        if case .rejected(let rejection) = outcome {
            if rejection.reason.tellsState { return nil }
            if rejection.reason == .configuration {
                return ReplayDoubt(reason: "the PSP refused a replay: \(rejection.code)", isAnswered: false)
            }
        }
        guard isRefusalOfReplayDoubtful else { return nil }
        return ReplayDoubt(reason: "a replay was refused; the first sending is unexplained", isAnswered: true)
    }

    /// A doubt that the refusal of a replay leaves.
    struct ReplayDoubt: Hashable {
        /// Why.
        let reason: String
        /// Whether the key may answer the same again.
        let isAnswered: Bool
    }

    /// Whether "the PSP has no trace of it" can be believed by now: nothing that was sent can still arrive, or has
    /// arrived and is not visible yet.
    ///
    /// That is so one call time and the declared visibility delay after the last sending, never because of how often
    /// it was doubted. A lease bounds the call time: what it covers begins and ends within it.
    var isAbsenceProven: Bool {
        guard case .byReference(let visibilityDelay) = capabilities.inquiry else { return false }
        guard let sentAt = operation.sentAt, !PlantedBug.absenceBelieved.isPlanted else { return true }
        return now >= sentAt.adding(milliseconds: settings.rules.leaseMilliseconds + visibilityDelay)
    }

    /// Whether a refusal that an inquiry finds may be of another sending than the one that had an effect, which is not
    /// visible yet.
    ///
    /// Sendings under one key that keeps each answer have one answer; not so once such a key was answered in doubt, when
    /// another may have been taken, and so with all that restored books mark.
    var mayHideSending: Bool {
        let isAnswerOfAll = key.map { $0.keeps != .successes } ?? false
        let isOneOfSeveral = operation.sendings > 1 && (!isAnswerOfAll || operation.isAnsweredInDoubt)
        return (isOneOfSeveral || operation.retries > 0) && capabilities.inquiry.isByReference && !isAbsenceProven
    }

    /// Whether it has to go out under another key where the PSP has no trace of it: the present one repeats the answer
    /// that told nothing.
    var needsNewKey: Bool { operation.isAnsweredInDoubt && key?.keeps == .all }

    /// Whether a refusal of a replay says nothing of the first sending, whose result the key does not keep.
    var isRefusalOfReplayDoubtful: Bool { wasSentBefore && key?.keeps == .successes }

    /// Whether somebody still waits for the authorization: the order is not decided, and the payment not called off.
    private var isWanted: Bool {
        order.payments.contains { payment in
            payment.attempts.contains { $0.id == attempt.id } && order.wantsAuthorization(of: payment)
        }
    }

    private var isActedOn: Bool {
        order.payments.contains { $0.attempts.contains { $0.id == attempt.id } && $0.isActedOn(attempt) }
    }

    /// Whether all that is left is to release by our reference what may be held: the PSP cannot be asked, nobody waits for
    /// the authorization any more, and nothing that was sent can still arrive.
    var canOnlyBeUndone: Bool {
        guard capabilities.undoByReference, operation.kind == .authorize, wasSentBefore, inquiry == .wait,
            !isWanted, let sentAt = operation.sentAt
        else { return false }
        return now >= sentAt.adding(milliseconds: settings.rules.leaseMilliseconds)
    }

    /// To inquire where that can be done, else to wait.
    private var inquiry: Action {
        switch capabilities.inquiry {
        case .byReference: .inquire
        case .byPSPReference: attempt.pspReference == nil ? .wait : .inquire
        case .none: .wait
        }
    }

    /// Whether its key answers a repetition with what became of it, or carries out what never was.
    ///
    /// After an answer that told nothing only a key that keeps outcomes does; one that keeps that answer does no harm
    /// where there is nothing to ask.
    private var isReplaySafe: Bool {
        guard let key, isKeyKept else { return false }
        guard operation.isAnsweredInDoubt else { return !isAskedFirst }
        return switch key.keeps {
        case .outcomes: true
        case .all: inquiry == .wait
        case .successes: false
        }
    }

    /// Whether its PSP still knows its key, by the clock of the PSP, which nobody moves.
    private var isKeyKept: Bool {
        guard let key else { return false }
        return now.milliseconds(since: operation.realStart) < key.retention - Self.retentionMarginMilliseconds
    }

    /// Whether it is asked after before its key is used again, though nothing was heard of it: the answer that nobody heard
    /// may have been an error behind the effect, under which a key that keeps successes alone keeps nothing.
    private var isAskedFirst: Bool {
        guard key?.keeps == .successes, inquiry != .wait, !PlantedBug.resentUnasked.isPlanted else { return false }
        return operation.kind == .authorize || mayTakeEffectTwice
    }

    /// Whether it is an authorization that only holds, is asked after first, and is repeated as soon as its PSP does not see
    /// it: a buyer waits for it, and most that were never answered never arrived.
    ///
    /// One that something was done to arrived.
    var isHoldAskedFirst: Bool {
        let isHold = operation.kind == .authorize && !mayTakeEffectTwice && !isActedOn
        return isHold && isAskedFirst && isWanted && isKeyKept && wasSentBefore && operation.isOpen
            && !operation.state.isWorkedOn && !operation.isAnsweredInDoubt
    }

    /// Whether a PSP that carries it out once more moves money once more.
    ///
    /// What is held twice is released, a hold is released once, and a capture that ends it is the last one.
    private var mayTakeEffectTwice: Bool {
        switch operation.kind {
        case .authorize: order.isSale(with: capabilities)
        case .refund, .reverse: true
        case .capture: !operation.isFinal
        case .void: false
        }
    }

    private var key: (retention: Int64, keeps: Capabilities.KeptResults)? {
        guard case .key(let retention, let keeps) = capabilities.idempotency else { return nil }
        return (retention, keeps)
    }
}

extension Capabilities.Inquiry {
    fileprivate var isByReference: Bool { if case .byReference = self { true } else { false } }
}

extension Outcome {
    fileprivate var isRefusal: Bool {
        switch self {
        case .declined, .rejected: true
        case .succeeded, .pending, .actionRequired, .notSent, .unknown: false
        }
    }
}

extension Rejection.Reason {
    /// Whether it says what state the payment is in, which explains all sendings.
    fileprivate var tellsState: Bool {
        switch self {
        case .alreadyCaptured, .alreadyVoided, .expired, .notSettledYet: true
        default: false
        }
    }
}

extension OrderInput {
    /// The end of the lease that an operation is known to be under, unless more was sent under it since.
    init(ending operation: Operation) {
        self = .endLease(operation.id, lease: operation.leases, .lost(sentUnderLease: operation.sentUnderLease))
    }
}
