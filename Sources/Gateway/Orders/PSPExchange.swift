import AdapterKit
import Domain
import Logging
import Telemetry

/// What was heard of a call.
struct PSPAnswer: Hashable, Sendable {
    /// What became of the operation.
    var outcome: Outcome
    /// Whether the PSP answered a sending without saying what became of it.
    var isAnswered = false
    /// How often the operation had been begun anew when it was sent, if it was.
    var retries: Int64?
}

/// One call to a PSP account: requests and replies, until the adapter knows the outcome.
struct PSPExchange: Sendable {
    /// No PSP needs more requests than this for one call: adapters go through at most twenty pages of a list, and
    /// make a handful of requests besides.
    private static let requestLimit = 28

    /// Answers that say that a request was not carried out yet, which no PSP keeps under its key: a clash with the same
    /// request under way, too early, too many.
    private static let passingStatuses: Set<Int> = [409, 425, 429]

    /// What a call is made for.
    enum Question: Hashable, Sendable {
        /// That the operation is done.
        case perform
        /// What became of it.
        case inquire
        /// What became of it, by our reference alone, whatever the PSP named.
        case search
        /// What the PSP stored of the payment, and not the payment.
        case storedMethod

        /// What the adapter is asked.
        var purpose: Call.Purpose { self == .perform ? .perform : .inquire }
    }

    let call: Call
    let adapter: any PaymentAdapter
    let question: Question
    /// When it is too late to begin; nil for never.
    let launchBy: Timestamp?
    let sender: any Sender
    let clock: any GatewayClock
    let health: AccountHealth
    let lines: CallLines
    let heartbeat: Heartbeat?
    /// Called once a minute at most while the PSP refuses our credentials, so that they are looked up again.
    let onRefusal: @Sendable () -> Void
    /// The PSP account.
    let account: CredentialWatch.Account
    /// The PSP's name, and the account's over all marketplaces, as they are counted and limited.
    let labels: PSPMetrics.Account
    let metrics: PSPMetrics
    /// Where pauses are drawn from.
    let random: RandomSource
    let logger: Logger
    let recorder: PSPCallRecorder

    /// What became of the operation, counted and timed.
    ///
    /// All requests together take no longer than one may, so that they end well within the lease.
    ///
    /// - Returns: nil if this instance may send nothing any more, and nothing that moves money has left.
    func answer(withinMilliseconds time: Int64) async -> PSPAnswer? {
        await recorder.recording { span in await answer(withinMilliseconds: time, tellingOn: span) }
    }

    private func answer(withinMilliseconds time: Int64, tellingOn span: OTLPSpan?) async -> PSPAnswer? {
        let begin = clock.now()
        metrics.underWay.add(1)
        defer { metrics.underWay.add(-1) }
        guard let (answer, reply) = await converse(until: begin.adding(milliseconds: time)) else { return nil }
        let status = reply?.status
        let operation = recorder.word
        let microseconds = max(0, clock.now().microseconds - begin.microseconds)
        let seconds = Double(microseconds) / 1_000_000
        recorder.record(answer.outcome, status: status, microseconds: microseconds, on: span)
        metrics.calls.increment(PSPMetrics.Call(account: labels, operation: operation, outcome: answer.outcome.name))
        metrics.durations.observe(seconds, PSPMetrics.Timed(psp: labels.psp, operation: operation))
        let objection = reply.flatMap { adapter.objection(in: $0) }
        if let kind = answer.outcome.misfit(objection) { report(kind, answer.outcome, status, operation) }
        note(objection, answer.outcome, status, operation)
        return answer
    }

    /// Takes note of whether the account's credentials were taken.
    private func note(_ objection: CredentialObjection?, _ outcome: Outcome, _ status: Int?, _ operation: String) {
        let now = clock.now()
        guard let objection, outcome.misfit(objection) == .credentials else {
            if outcome.showsCredentialsTaken { health.credentials.hear(taken: operation, at: account, now) }
            return
        }
        let code: String? = if case .rejected(let rejection) = outcome { rejection.code } else { nil }
        health.credentials.hear(
            CredentialRefusal(
                marketplace: account.marketplace,
                account: account.id,
                objection: objection,
                call: operation,
                status: status ?? 0,
                code: code,
                since: now,
                refusedAt: now
            )
        )
    }

    /// Says that calls to the account fail until somebody mends how it is set up.
    private func report(_ kind: PSPMetrics.Misfit.Kind, _ outcome: Outcome, _ status: Int?, _ operation: String) {
        metrics.misfits.increment(PSPMetrics.Misfit(account: labels, kind: kind))
        guard health.tellsRefusal(of: labels.account, at: clock.now()) else { return }
        var metadata: Logger.Metadata = [
            "psp": "\(labels.psp)", "psp_account": "\(labels.account)", "call": "\(operation)",
            "operation": "\(call.operation)", "order": "\(call.order)",
            "status": "\(status.map(String.init) ?? "none")",
        ]
        metadata.addOrigin(recorder.traces.current)
        if case .rejected(let rejection) = outcome { metadata["code"] = "\(rejection.code)" }
        switch kind {
        case .credentials:
            logger.error("a PSP refuses our credentials", metadata: metadata)
            onRefusal()
        case .other: logger.error("a PSP refuses a call as wrongly set up", metadata: metadata)
        }
    }

    /// Alternates between the adapter and the wire until the adapter knows the outcome; answers the last reply too.
    private func converse(until end: Timestamp) async -> (answer: PSPAnswer, reply: WireReply?)? {
        var exchanges: [Exchange] = []
        var mayHaveMovedMoney = false
        for _ in 0..<Self.requestLimit {
            switch next(after: exchanges) {
            case .outcome(let outcome):
                let isKept = exchanges.last.map { !Self.passingStatuses.contains($0.reply.status) } ?? false
                let isAnswered = outcome.isUnknown && call.purpose == .perform && mayHaveMovedMoney && isKept
                return (PSPAnswer(outcome: outcome, isAnswered: isAnswered), exchanges.last?.reply)
            case .send(let request):
                guard let result = await send(request, until: end) else {
                    guard mayHaveMovedMoney else { return nil }
                    return (PSPAnswer(outcome: .unknown(reason: "this instance may send nothing any more")), nil)
                }
                switch result {
                case .reply(let reply):
                    exchanges.append(Exchange(reply: reply))
                    mayHaveMovedMoney = mayHaveMovedMoney || request.canMoveMoney
                case .held(let reason):
                    let isNotSent = !mayHaveMovedMoney && call.purpose == .perform
                    return (PSPAnswer(outcome: isNotSent ? .notSent(reason: reason) : .unknown(reason: reason)), nil)
                case .failure(let reason, let mayHaveArrived):
                    let isHarmless = !mayHaveMovedMoney && (!mayHaveArrived || !request.canMoveMoney)
                    let isNotSent = isHarmless && call.purpose == .perform
                    return (PSPAnswer(outcome: isNotSent ? .notSent(reason: reason) : .unknown(reason: reason)), nil)
                }
            }
        }
        let outcome = Outcome.unknown(reason: "the PSP asked for more than \(Self.requestLimit) calls")
        return (PSPAnswer(outcome: outcome, isAnswered: mayHaveMovedMoney), exchanges.last?.reply)
    }

    private func next(after exchanges: [Exchange]) -> Step {
        question == .storedMethod
            ? adapter.next(forStoredMethodOf: call, after: exchanges) : adapter.next(for: call, after: exchanges)
    }

    /// - Returns: nil if it moves money and this instance may send nothing any more.
    private func send(_ request: WireRequest, until end: Timestamp) async -> SendResult? {
        // Replies to these have nothing of ours on them; see `SendTerms.freshConnection`.
        let isAlone = adapter.capabilities.idempotency == .none || !request.canMoveMoney
        return await lines.counting(call.operation, at: labels.account, clock) {
            await send(request, until: end, alone: isAlone)
        }
    }

    /// Sends a request, again and again while there is no room for it on our own side and it is not too late.
    ///
    /// That we have no room is no failure of the PSP's, and nothing that anybody has to be told.
    /// Whether this instance may send is asked last, so that one that was stopped while it waited here does not.
    private func send(_ request: WireRequest, until end: Timestamp, alone: Bool) async -> SendResult? {
        while true {
            let now = clock.now()
            let left = end.milliseconds(since: now)
            guard left > 0 else { return .failure(reason: "no time is left", mayHaveArrived: false) }
            let terms = SendTerms(
                account: labels.account,
                freshConnection: alone,
                timeoutMilliseconds: left,
                launchMilliseconds: launchBy.map { max(0, $0.milliseconds(since: now)) }
            )
            guard !request.canMoveMoney || heartbeat?.maySend ?? true else { return nil }
            let result = await sender.send(request, terms)
            metrics.requests.increment(PSPMetrics.Request(account: labels, result: result.counted))
            guard case .held(let reason) = result else {
                health.note(labels.account, didAnswer: result.isHealthy, at: clock.now())
                return result
            }
            let next = clock.now().adding(milliseconds: random.number(in: 50...250))
            guard next < end, next < launchBy ?? end, (try? await clock.sleep(until: next)) != nil else {
                return .held(reason: reason)
            }
        }
    }
}

extension Outcome {
    fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// What is wrong with how the account is set up, if that is why the PSP refused; nil if it is not.
    ///
    /// Adapters call it a matter of configuration when keys, permissions or set-up are wrong, or our request is. Behind a
    /// reply that objects to who asks it is the credentials, and so it is where the adapter believes neither side there.
    fileprivate func misfit(_ objection: CredentialObjection?) -> PSPMetrics.Misfit.Kind? {
        switch self {
        case .rejected(let rejection) where rejection.reason == .configuration:
            objection == nil ? .other : .credentials
        case .unknown, .notSent: objection == nil ? nil : .credentials
        case .rejected, .succeeded, .declined, .pending, .actionRequired: nil
        }
    }

    /// Whether the PSP answered so that it knew who asks, and let them ask.
    fileprivate var showsCredentialsTaken: Bool {
        switch self {
        case .succeeded, .declined, .pending, .actionRequired: true
        case .rejected(let rejection): rejection.reason != .configuration
        case .unknown, .notSent: false
        }
    }
}

extension SendResult {
    /// Whether the PSP answered, and did not say that it is broken or overrun.
    fileprivate var isHealthy: Bool {
        if case .reply(let reply) = self { reply.status < 500 && reply.status != 429 } else { false }
    }

    /// What it is counted as.
    fileprivate var counted: PSPMetrics.Request.Result {
        switch self {
        case .reply(let reply):
            switch reply.status {
            case ..<300: .success
            case ..<400: .redirect
            case ..<500: .refusal
            default: .failure
            }
        case .failure(_, let mayHaveArrived): mayHaveArrived ? .noAnswer : .notSent
        case .held: .held
        }
    }
}

extension Call.Kind {
    /// The word that it is counted by.
    var word: String {
        switch self {
        case .authorize: "authorize"
        case .capture: "capture"
        case .void: "void"
        case .refund: "refund"
        }
    }
}
