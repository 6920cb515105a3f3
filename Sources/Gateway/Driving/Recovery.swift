import AdapterKit
import Domain

/// Chooses how an operation is carried on: sent, asked after, or left to a webhook or a person.
///
/// There is no second path for crashes: what any instance ever had in hand counts as perhaps sent.
struct Recovery {
    /// How to carry on.
    enum Way: Hashable, Sendable {
        /// Send it. If it was sent before, its key makes this a replay.
        case perform
        /// Ask what became of it.
        case inquire
        /// Nothing can be asked.
        case wait
    }

    /// An idempotency key is not relied on in the last hour of its retention.
    private static let retentionMarginMilliseconds: Int64 = 3_600_000

    let order: Order
    let attempt: Attempt
    let operation: Operation
    let capabilities: Capabilities
    let settings: GatewaySettings
    let now: Timestamp

    /// The way for an operation whose credential is at hand or not.
    func way(hasCredential: Bool) -> Way {
        guard operation.leases > 1 else { return .perform }
        switch operation.state {
        case .pending, .actionRequired: return asked
        case .open, .unknown, .notSent, .declined, .rejected, .succeeded, .reversed: break
        }
        if operation.kind == .authorize {
            return isReplaySafe && hasCredential && order.decision.state == .pending ? .perform : asked
        }
        return isReplaySafe ? .perform : asked
    }

    /// Whether "the PSP has no trace of it" can be believed by now: nothing that was sent can still arrive, or has
    /// arrived and is not visible yet.
    ///
    /// A lease bounds when what it covers arrives. An authorization is sent only while its order is undecided, and
    /// without a key only under its first lease. Anything else is replayed within its key's retention, and after that
    /// sent anew only here: then the pause since the last doubt, which grows to an hour, is long enough too. It began
    /// when the last sending was given up, so no PSP may declare more than the hour.
    var isAbsenceProven: Bool {
        guard case .byReference(let visibilityDelay) = capabilities.inquiry else { return false }
        let silence = settings.rules.leaseMilliseconds + visibilityDelay
        if operation.kind == .authorize {
            guard retentionMilliseconds != nil else { return now >= operation.createdAt.adding(milliseconds: silence) }
            guard let decidedAt = order.decision.at else { return false }
            return now >= max(operation.createdAt, decidedAt).adding(milliseconds: silence)
        }
        let lastReplay = operation.createdAt.adding(milliseconds: retentionMilliseconds ?? 0)
        return now >= lastReplay.adding(milliseconds: silence)
            && pauseMilliseconds >= max(settings.pspTimeoutMilliseconds, visibilityDelay)
    }

    /// Whether all that is left is to release by our reference what may be held: the PSP cannot be asked, the order is
    /// decided, and nothing that was sent can still arrive.
    var canOnlyBeUndone: Bool {
        guard capabilities.undoByReference, operation.kind == .authorize, operation.leases > 1, asked == .wait,
            let decidedAt = order.decision.at
        else { return false }
        let lastSending = max(operation.createdAt, decidedAt)
        return now >= lastSending.adding(milliseconds: settings.rules.leaseMilliseconds)
    }

    /// How long ago, at the least, the last instance that had it in hand gave up, or could not begin any more.
    private var pauseMilliseconds: Int64 {
        let rules = settings.rules
        return operation.doubts == 0 ? rules.leaseMilliseconds : rules.pause(afterDoubts: operation.doubts)
    }

    private var asked: Way {
        switch capabilities.inquiry {
        case .byReference: .inquire
        case .byPSPReference: attempt.pspReference == nil ? .wait : .inquire
        case .none: .wait
        }
    }

    private var isReplaySafe: Bool {
        guard let retention = retentionMilliseconds else { return false }
        return now.milliseconds(since: operation.createdAt) < retention - Self.retentionMarginMilliseconds
    }

    private var retentionMilliseconds: Int64? {
        guard case .key(let retention) = capabilities.idempotency else { return nil }
        return retention
    }
}
