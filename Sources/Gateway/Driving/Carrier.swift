import AdapterKit
import Domain
import Logging
import SQL
import Storage

/// Carries one operation to its PSP and back: adapter, wire, outcome.
///
/// Never throws: silence is an outcome.
struct Carrier: Sendable {
    /// No PSP needs more calls than this for one operation: adapters go through at most twenty pages of a list, and
    /// make a handful of calls besides.
    private static let exchangeLimit = 28

    /// Answers that say that a request was not carried out yet, which no PSP keeps under its key: a clash with the same
    /// request under way, too early, too many.
    private static let passingStatuses: Set<Int> = [409, 425, 429]

    /// Writes down that an operation is sent once more under a lease, perhaps under another key.
    typealias SendingRecord = @Sendable (OperationID, _ lease: Int64, _ isAnew: Bool) async -> RecordedSending

    /// What came of writing down that an operation is sent once more.
    enum RecordedSending {
        /// It is written down; the order then.
        case recorded(Order)
        /// The order was decided meanwhile: an authorization is asked after, not sent again.
        case decided
        /// It is in somebody else's hand by now, or nothing could be written.
        case lost
    }

    let directory: PSPDirectory
    let database: any Database
    let sender: any Sender
    let credentials: CredentialKeys
    let clock: any GatewayClock
    let settings: GatewaySettings
    let health: AccountHealth
    let lines: CallLines
    let logger: Logger

    /// What became of an operation that this instance has in hand.
    ///
    /// - Parameters:
    ///   - id: the operation.
    ///   - order: its order, as of the transaction that leased the operation.
    ///   - credential: what pays, if the caller has it; else it is read from the database.
    ///   - record: writes down that it is sent once more, before it is.
    /// - Returns: what to tell the machine; nil if too much of the lease is gone to begin, or it is somebody else's by
    /// now, so that it runs out.
    func carry(
        _ id: OperationID,
        in order: Order,
        credential: Credential?,
        recording record: SendingRecord
    ) async -> Report? {
        guard let found = order.find(id), let due = found.operation.dueAt else { return nil }
        let needed = settings.pspTimeoutMilliseconds + 30_000
        guard due.milliseconds(since: clock.now()) >= needed else { return nil }
        guard await isTurn(of: found, in: order, until: due.adding(milliseconds: -needed)) else { return nil }
        let adapter: any PaymentAdapter
        do {
            adapter = try await directory.adapter(for: found.attempt.route.pspAccount, of: order.marketplace)
        } catch {
            logger.error(
                "no adapter for a PSP account",
                metadata: ["psp_account": "\(found.attempt.route.pspAccount)", "error": "\(type(of: error))"]
            )
            return Report(operation: id, outcome: .notSent(reason: "the PSP account's settings do not work"))
        }
        let can = adapter.capabilities
        let recovery = Recovery(
            order: order,
            attempt: found.attempt,
            operation: found.operation,
            capabilities: can,
            settings: settings,
            now: clock.now()
        )
        let heard: Heard?
        if let obstacle = await obstacle(to: found, in: order) {
            heard = Heard(outcome: obstacle)
        } else {
            heard = await self.heard(of: found, in: order, credential, adapter, recovery, record)
        }
        return heard.map { heard in
            Report(
                operation: id,
                outcome: heard.outcome,
                pollMilliseconds: can.pendingPollMilliseconds,
                expectedWithinMilliseconds: can.expectedWithinMilliseconds,
                authorizationLifeMilliseconds: can.authorizationLifeMilliseconds,
                canOnlyBeUndone: recovery.canOnlyBeUndone,
                isAnswered: heard.isAnswered,
                retries: heard.retries ?? found.operation.retries
            )
        }
    }

    /// Waits until the account's budget has room for a second try, and says whether it had in time.
    ///
    /// What is not tried is not in doubt: its lease runs out, and whoever is next tries.
    private func isTurn(of found: Order.Found, in order: Order, until end: Timestamp) async -> Bool {
        let account = found.accountName(in: order)
        let isRetry = found.operation.leases > 1 && !found.operation.state.isWorkedOn
        while !health.mayCall(account, isRetry: isRetry, at: clock.now()) {
            let next = clock.now().adding(milliseconds: .random(in: 100...1000))
            guard next < end, (try? await clock.sleep(until: next)) != nil else { return false }
        }
        return true
    }

    /// What keeps an operation from being sent now; nil if nothing does.
    ///
    /// What an account has been told before goes on, whatever has become of the account.
    private func obstacle(to found: Order.Found, in order: Order) async -> Outcome? {
        guard found.operation.kind == .authorize, found.operation.leases <= 1 else { return nil }
        guard order.decision.state == .pending else { return .notSent(reason: "the order is decided without it") }
        if found.attempt.id != found.payment.attempts.first?.id, await isPaused(found, in: order) {
            return .notSent(reason: "paused")
        }
        return health.obstacle(to: found.accountName(in: order), at: clock.now()).map { .notSent(reason: $0) }
    }

    /// Whether the account of another route was paused since the order was placed.
    private func isPaused(_ found: Order.Found, in order: Order) async -> Bool {
        let account = try? await database.read { session in
            try PSPAccountTable.find(found.attempt.route.pspAccount, of: order.marketplace, in: session)
        }
        return account?.status == .paused
    }

    private func heard(
        of found: Order.Found,
        in order: Order,
        _ credential: Credential?,
        _ adapter: any PaymentAdapter,
        _ recovery: Recovery,
        _ record: SendingRecord
    ) async -> Heard? {
        var credential = credential
        if credential == nil, found.operation.kind == .authorize, recovery.way(hasCredential: true) == .perform {
            credential = await opened(found.attempt.id)
        }
        let errand = Errand(found: found, order: order, credential: credential, adapter: adapter)
        switch recovery.way(hasCredential: credential != nil) {
        case .perform:
            guard let heard = await perform(errand, isAnew: false, record) else { return nil }
            return Self.qualified(heard, recovery)
        case .wait: return Heard(outcome: .unknown(reason: "the PSP cannot be asked; waiting for its word"))
        case .inquire:
            let outcome = await run(errand, .inquire).outcome
            guard case .rejected(let rejection) = outcome, rejection.reason == .notFound else {
                let isHidden = outcome.isRefusal && recovery.mayHideSending
                return Heard(outcome: isHidden ? .unknown(reason: "another sending may have come through") : outcome)
            }
            guard recovery.isAbsenceProven else {
                return Heard(outcome: .unknown(reason: "the PSP does not see it yet"))
            }
            let isGone = found.operation.kind == .authorize || found.operation.state.isWorkedOn
            return isGone ? Heard(outcome: outcome) : await perform(errand, isAnew: recovery.needsNewKey, record)
        }
    }

    /// Sends an operation; what was in hand before is written down as sent first.
    private func perform(_ errand: Errand, isAnew: Bool, _ record: SendingRecord) async -> Heard? {
        let operation = errand.found.operation
        guard operation.sentUnderLease < operation.leases else { return await run(errand, .perform) }
        let order: Order
        switch await record(operation.id, operation.leases, isAnew) {
        case .recorded(let known): order = known
        case .decided: return Heard(outcome: .unknown(reason: "its order is decided: it is not sent again"))
        case .lost: return nil
        }
        guard let found = order.find(operation.id) else { return nil }
        let sent = Errand(found: found, order: order, credential: errand.credential, adapter: errand.adapter)
        var heard = await run(sent, .perform)
        heard.retries = found.operation.retries
        return heard
    }

    private func run(_ errand: Errand, _ purpose: Call.Purpose) async -> Heard {
        let (found, order) = (errand.found, errand.order)
        let call = try? Call(
            found.operation,
            of: found.attempt,
            found.payment,
            in: order,
            credential: errand.credential,
            capabilities: errand.adapter.capabilities,
            purpose: purpose
        )
        guard let call else { return Heard(outcome: .unknown(reason: "the operation has no amount")) }
        let way = Way(
            operation: found.operation.id,
            account: found.accountName(in: order),
            launchBy: found.launchBy(in: order)
        )
        return await exchange(call, with: errand.adapter, over: way)
    }

    /// What the answer to a replay says of the operation: a refusal for our own mistake, or any at a PSP whose keys keep
    /// successes only, says nothing of the first sending, which may have arrived.
    private static func qualified(_ heard: Heard, _ recovery: Recovery) -> Heard {
        guard recovery.wasSentBefore, heard.outcome.isRefusal else { return heard }
        if case .rejected(let rejection) = heard.outcome {
            if rejection.reason.tellsState { return heard }
            if rejection.reason == .configuration {
                return Heard(
                    outcome: .unknown(reason: "the PSP refused a replay: \(rejection.code)"),
                    retries: heard.retries
                )
            }
        }
        guard recovery.isRefusalOfReplayDoubtful else { return heard }
        return Heard(
            outcome: .unknown(reason: "a replay was refused; the first sending is unexplained"),
            isAnswered: true,
            retries: heard.retries
        )
    }

    /// Alternates between the adapter and the wire until the adapter knows the outcome.
    ///
    /// All calls together take no longer than one may, so that they end well within the lease.
    private func exchange(_ call: Call, with adapter: any PaymentAdapter, over way: Way) async -> Heard {
        let end = clock.now().adding(milliseconds: settings.pspTimeoutMilliseconds)
        var exchanges: [Exchange] = []
        var mayHaveMovedMoney = false
        for _ in 0..<Self.exchangeLimit {
            switch adapter.next(for: call, after: exchanges) {
            case .outcome(let outcome):
                let isKept = exchanges.last.map { !Self.passingStatuses.contains($0.reply.status) } ?? false
                let isAnswered = outcome.isUnknown && call.purpose == .perform && mayHaveMovedMoney && isKept
                return Heard(outcome: outcome, isAnswered: isAnswered)
            case .send(let request):
                switch await send(request, until: end, for: adapter, over: way) {
                case .reply(let reply):
                    exchanges.append(Exchange(reply: reply))
                    mayHaveMovedMoney = mayHaveMovedMoney || request.canMoveMoney
                case .held(let reason):
                    let isNotSent = !mayHaveMovedMoney && call.purpose == .perform
                    return Heard(outcome: isNotSent ? .notSent(reason: reason) : .unknown(reason: reason))
                case .failure(let reason, let mayHaveArrived):
                    let isHarmless = !mayHaveMovedMoney && (!mayHaveArrived || !request.canMoveMoney)
                    let isNotSent = isHarmless && call.purpose == .perform
                    return Heard(outcome: isNotSent ? .notSent(reason: reason) : .unknown(reason: reason))
                }
            }
        }
        return Heard(
            outcome: .unknown(reason: "the PSP asked for more than \(Self.exchangeLimit) calls"),
            isAnswered: mayHaveMovedMoney
        )
    }

    private func send(
        _ request: WireRequest,
        until end: Timestamp,
        for adapter: any PaymentAdapter,
        over way: Way
    ) async -> SendResult {
        // Replies to these have nothing of ours on them; see `SendTerms.freshConnection`.
        let isAlone = adapter.capabilities.idempotency == .none || !request.canMoveMoney
        return await lines.counting(way.operation, at: way.account, clock) {
            await send(request, until: end, alone: isAlone, over: way)
        }
    }

    /// Sends a request, again and again while there is no room for it on our own side and it is not too late.
    ///
    /// That we have no room is no failure of the PSP's, and nothing that anybody has to be told.
    private func send(_ request: WireRequest, until end: Timestamp, alone: Bool, over way: Way) async -> SendResult {
        while true {
            let now = clock.now()
            let left = end.milliseconds(since: now)
            guard left > 0 else { return .failure(reason: "no time is left", mayHaveArrived: false) }
            let terms = SendTerms(
                account: way.account,
                freshConnection: alone,
                timeoutMilliseconds: left,
                launchMilliseconds: way.launchBy.map { max(0, $0.milliseconds(since: now)) }
            )
            let result = await sender.send(request, terms)
            guard case .held(let reason) = result else {
                health.note(way.account, didAnswer: result.isHealthy, at: clock.now())
                return result
            }
            let next = clock.now().adding(milliseconds: .random(in: 50...250))
            guard next < end, next < way.launchBy ?? end, (try? await clock.sleep(until: next)) != nil else {
                return .held(reason: reason)
            }
        }
    }

    /// What was heard of a call.
    private struct Heard {
        var outcome: Outcome
        /// Whether the PSP answered without saying what became of it.
        var isAnswered = false
        /// How often the operation had been begun anew when it was sent, if it was.
        var retries: Int64?
    }

    /// What a call is written from.
    private struct Errand {
        let found: Order.Found
        let order: Order
        let credential: Credential?
        let adapter: any PaymentAdapter
    }

    /// Whose connections are used, and when it is too late to begin.
    private struct Way {
        let operation: OperationID
        let account: String
        let launchBy: Timestamp?
    }

    /// The stored credential; nil if it is erased or cannot be opened.
    private func opened(_ attempt: AttemptID) async -> Credential? {
        do {
            return try await credentials.credential(of: attempt)
        } catch {
            logger.error("a credential cannot be opened", metadata: ["attempt": "\(attempt)"])
            return nil
        }
    }
}

extension Order {
    /// An operation with the attempt and payment it belongs to.
    struct Found {
        let payment: Payment
        let attempt: Attempt
        let operation: Operation

        /// The PSP account's name over all marketplaces.
        func accountName(in order: Order) -> String { "\(order.marketplace)/\(attempt.route.pspAccount)" }

        /// When it is too late to send it; nil for never.
        ///
        /// A first authorization is not begun once its order is decided without it. What may have been sent before is
        /// asked after whatever the order's decision.
        func launchBy(in order: Order) -> Timestamp? {
            guard operation.kind == .authorize, operation.leases <= 1, order.decision.state == .pending else {
                return nil
            }
            return order.terms.onDeadline == .abandon
                ? min(order.terms.deadlineAt, order.terms.decideBy) : order.terms.decideBy
        }
    }

    /// Finds an operation.
    func find(_ id: OperationID) -> Found? {
        for payment in payments {
            for attempt in payment.attempts {
                if let operation = attempt.operations.first(where: { $0.id == id }) {
                    return Found(payment: payment, attempt: attempt, operation: operation)
                }
            }
        }
        return nil
    }
}

extension Outcome {
    fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }

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

extension SendResult {
    /// Whether the PSP answered, and did not say that it is broken or overrun.
    fileprivate var isHealthy: Bool {
        if case .reply(let reply) = self { reply.status < 500 && reply.status != 429 } else { false }
    }
}
