/// One authorization in the books, with everything that happened to it.
package struct Authorization: Hashable, Sendable {
    /// Where an authorization stands.
    ///
    /// Refunds are amounts, not a status.
    package enum Status: String, Hashable, Sendable {
        /// It is worked on.
        case pending
        /// The buyer has to visit a page.
        case requiresAction = "requires_action"
        /// The amount is held; parts of it may be taken already.
        case authorized
        /// The amount, or a part of it, is taken and the rest released.
        case captured
        /// What was held or taken is released.
        case voided
        /// The issuer, a risk rule or the buyer said no.
        case declined
        /// What was held has lapsed.
        case expired
        /// It was voided before anything was held.
        case canceled
    }

    /// How long an authorization lives unless a trigger says otherwise: 7 days, in milliseconds.
    package static let lifeMilliseconds: Int64 = 7 * 86_400_000

    /// The simulator's name for it.
    package let id: String
    /// The account it belongs to.
    package let account: String
    /// What was asked.
    package let command: AuthorizeCommand
    /// What its token tells the simulator to do.
    package let script: TokenScript
    /// When it was made, in milliseconds since 1970.
    package let createdAt: Int64

    /// Where it stands.
    package internal(set) var status = Status.pending
    /// How much was approved, in minor units.
    package internal(set) var authorized: Int64 = 0
    /// How much of it is taken, in minor units.
    package internal(set) var captured: Int64 = 0
    /// How much of it was released, in minor units.
    package internal(set) var voided: Int64 = 0
    /// How much of the capture was given back, in minor units.
    package internal(set) var refunded: Int64 = 0
    /// When what is held lapses, in milliseconds since 1970.
    package internal(set) var expiresAt: Int64?
    /// When the buyer's time is over, in milliseconds since 1970.
    package internal(set) var actionExpiresAt: Int64?
    /// When it was captured, in milliseconds since 1970.
    package internal(set) var capturedAt: Int64?
    /// Why it was declined.
    package internal(set) var decline: DeclineCode?
    /// What was asked for it; the first is the authorization itself.
    package internal(set) var operations: [BookedOperation] = []
    /// How many requests named it, replays included.
    package internal(set) var requests = 0
    /// What the buyer's bank took back, or tried to.
    package internal(set) var disputes: [BookedDispute] = []
    /// How many operations were answered and left no trace but their names.
    var untraced = 0
    /// How many events there have been.
    var eventCount = 0
    /// What happened and nobody has been told yet.
    var pendingEvents: [BookEvent] = []

    /// What is held and neither taken nor released, in minor units.
    package var held: Int64 { status == .authorized ? authorized - captured - voided : 0 }

    /// What disputes have taken back and not returned, in minor units.
    package var chargedBack: Int64 { disputes.reduce(0) { $0 + $1.taken } }

    /// What refunds may still give back and disputes take, in minor units.
    var refundable: Int64 {
        captured - refunded - pending(.refund) - chargedBack
    }

    /// What operations of a kind that are still worked on will take or give back, in minor units.
    func pending(_ kind: OperationKind) -> Int64 {
        let open = operations.filter { $0.kind == kind && $0.status == .pending && $0.refusal == nil }
        return open.reduce(0) { $0 + $1.amount }
    }

    /// Whether it captures, or has captured, without a capture being asked for on its own.
    package var capturesAtOnce: Bool { command.capture || script.effect(of: .authorize) == .captureAtOnce }
}

/// What may be asked of an authorization in its state.
extension Authorization {
    /// The change as the state makes it: a reversal of what has been captured and has settled is a refund of what is
    /// left.
    func resolved(_ change: ChangeCommand, at now: Int64) -> ChangeCommand {
        guard change.isReversal, status == .captured, !isUnsettled(at: now) else { return change }
        var refund = change
        refund.kind = .refund
        return refund
    }

    /// The amount that the change may act on; or what was asked, and why it will fail, if the PSP takes all changes.
    ///
    /// - Throws: ``Refusal`` if it may not and the PSP says so at once.
    func consider(_ change: ChangeCommand, at now: Int64) throws(Refusal) -> (amount: Int64, refusal: Refusal?) {
        do throws(Refusal) {
            return (try admit(change, at: now), nil)
        } catch {
            guard change.latency?.takesAll == true else { throw error }
            return (change.amount ?? 0, error)
        }
    }

    /// The amount that the change may act on.
    ///
    /// - Throws: ``Refusal`` if it may not.
    func admit(_ change: ChangeCommand, at now: Int64) throws(Refusal) -> Int64 {
        switch change.kind {
        case .capture: try admitCapture(of: change.amount ?? held, hasLatency: change.latency != nil)
        case .void: try admitVoid(isReversal: change.isReversal, at: now)
        case .refund: try admitRefund(of: change.amount ?? refundable, at: now)
        case .authorize, .inquire: throw .unsupported
        }
    }

    /// A PSP that works on captures takes the next one meanwhile, unless the last one has been asked for.
    private func admitCapture(of amount: Int64, hasLatency: Bool) throws(Refusal) -> Int64 {
        switch status {
        case .authorized: break
        case .captured: throw .alreadyCaptured
        case .voided, .canceled: throw .alreadyVoided
        case .expired: throw .expired
        case .pending, .requiresAction, .declined: throw .notAuthorized
        }
        let open = operations.filter { $0.status == .pending && $0.refusal == nil }
        guard open.allSatisfy({ hasLatency && $0.kind == .capture && !$0.isFinal }) else { throw .inProgress }
        guard amount > 0, amount <= held - pending(.capture) else { throw .amountTooLarge }
        return amount
    }

    private func admitVoid(isReversal: Bool, at now: Int64) throws(Refusal) -> Int64 {
        switch status {
        case .pending, .requiresAction:
            guard !operations.dropFirst().contains(where: { $0.status == .pending }) else { throw .inProgress }
            return 0
        case .authorized:
            guard !hasPendingOperation else { throw .inProgress }
            return held
        case .captured:
            let isTakenBack = isReversal || !command.keepsCaptures
            guard isTakenBack, isUnsettled(at: now), refunded == 0, disputes.isEmpty else { throw .alreadyCaptured }
            guard !hasPendingOperation else { throw .inProgress }
            return captured
        case .voided, .canceled, .declined: throw .alreadyVoided
        case .expired: throw .expired
        }
    }

    private func admitRefund(of amount: Int64, at now: Int64) throws(Refusal) -> Int64 {
        switch status {
        case .captured: break
        case .authorized: guard captured > 0 else { throw .notCaptured }
        case .voided, .canceled: throw .alreadyVoided
        case .expired: throw .expired
        case .pending, .requiresAction, .declined: throw .notAuthorized
        }
        guard !isUnsettled(at: now) else { throw .notSettledYet }
        let voids = operations.contains { $0.kind == .void && $0.status == .pending }
        guard !voids else { throw .inProgress }
        guard amount > 0, amount <= refundable else { throw .amountTooLarge }
        return amount
    }

    private func isUnsettled(at now: Int64) -> Bool {
        guard case .settle(let milliseconds) = script.effect(of: .refund), let capturedAt else { return false }
        return now < capturedAt + milliseconds
    }
}

/// What there is to tell of an authorization.
extension Authorization {
    /// Notes that the authorization itself has come to `word`.
    mutating func record(_ word: String, at now: Int64, _ announcement: WebhookAnnouncement? = nil) {
        let isAsked = announcement == nil
        append(
            "authorization.\(word)",
            at: now,
            key: isAsked && !operations[0].key.isEmpty ? operations[0].key : nil,
            announcement: announcement ?? operations[0].announcement
        )
    }

    /// Notes that an operation has come to `word`.
    mutating func record(of index: Int, _ word: String, at now: Int64) {
        operations[index].changedAt = now
        let operation = operations[index]
        append(
            "\(operation.kind.rawValue).\(word)",
            at: now,
            operation: operation,
            key: operation.key.isEmpty ? nil : operation.key,
            announcement: operation.announcement
        )
    }

    /// Notes where a dispute has come to.
    mutating func record(of dispute: BookedDispute, at now: Int64, _ announcement: WebhookAnnouncement) {
        append("dispute.\(dispute.status.rawValue)", at: now, dispute: dispute, announcement: announcement)
    }

    private mutating func append(
        _ type: String,
        at now: Int64,
        operation: BookedOperation? = nil,
        dispute: BookedDispute? = nil,
        key: String? = nil,
        announcement: WebhookAnnouncement
    ) {
        eventCount += 1
        var snapshot = self
        snapshot.pendingEvents = []
        pendingEvents.append(
            BookEvent(
                id: "evt_\(id.dropFirst(Books.identifierPrefix.count))_\(eventCount)",
                type: type,
                at: now,
                authorization: snapshot,
                operation: operation,
                dispute: dispute,
                key: key,
                announcement: announcement
            )
        )
    }
}

/// What must be true of an authorization at any time.
extension Authorization {
    /// The rules that are broken, as sentences; none unless the simulator itself is wrong.
    var brokenRules: [String] {
        let rules: [(holds: Bool, sentence: String)] = [
            (authorized <= command.amount, "more is authorized than was asked"),
            (captured + voided <= authorized, "more is captured and released than is authorized"),
            (refunded <= captured, "more is refunded than is captured"),
            (refunded + chargedBack <= captured, "more is refunded and disputed than is captured"),
            (min(authorized, captured, voided, refunded) >= 0, "an amount is negative"),
        ]
        return rules.filter { !$0.holds }.map(\.sentence)
    }

    /// The authorization as it is at `now`; what happened until then is told by the books, not by this.
    func advanced(to now: Int64) -> Authorization {
        var copy = self
        copy.advance(to: now)
        copy.pendingEvents = []
        return copy
    }
}
