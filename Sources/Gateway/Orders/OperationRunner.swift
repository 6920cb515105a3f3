import AdapterKit
import Domain
import Logging
import SQL
import Storage
import Telemetry

/// Performs operations that were leased to this instance: one PSP call there and back each, whose outcome goes into the log;
/// silence is one.
struct OperationRunner: Sendable {
    /// While the database is away, an outcome is submitted again after this time.
    private static let submissionPauseMilliseconds: Int64 = 500

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
    /// What is counted.
    var metrics = GatewayMetrics()
    /// What the others see of this instance; nil where there are none.
    var heartbeat: Heartbeat?
    /// Where calls are told of.
    var traces = TraceWriter.none
    /// Where pauses are drawn from.
    var random = RandomSource.system

    /// Starts to perform operations of an order, and returns at once.
    ///
    /// - Parameters:
    ///   - operations: the operations, leased to this instance.
    ///   - order: their order, as of the transaction that leased them.
    ///   - known: what attempts' authorizations are written from, as far as the caller has it.
    ///   - log: where outcomes go.
    func start(
        _ operations: [OperationID],
        of order: Order,
        with known: [AttemptID: AuthorizationDetails] = [:],
        log: OrderLog
    ) {
        for operation in operations {
            let details = order.find(operation).flatMap { known[$0.attempt.id] }
            Task {
                defer { lines.forget(operation) }
                let report = await run(operation, in: order, details: details) {
                    await record($0, underLease: $1, isAnew: $2, of: order, log: log)
                }
                guard let report else { return await handBack(operation, of: order, log: log) }
                await submit(report, of: order, log: log)
            }
        }
    }

    /// What became of an operation that this instance has in hand.
    ///
    /// - Parameters:
    ///   - id: the operation.
    ///   - order: its order, as of the transaction that leased the operation.
    ///   - details: what an authorization is written from, if the caller has it; else it is read from the database.
    ///   - record: writes down that it is sent once more, before it is.
    /// - Returns: what to tell the order; nil if too much of the lease is gone to begin, or it is somebody else's by
    /// now, so that it runs out.
    func run(
        _ id: OperationID,
        in order: Order,
        details: AuthorizationDetails?,
        recording record: SendingRecord
    ) async -> Report? {
        guard let found = order.find(id), let due = found.operation.dueAt.map(order.clock.realTime) else { return nil }
        let needed = settings.pspTimeoutMilliseconds + 30_000
        guard due.milliseconds(since: clock.now()) >= needed,
            await isTurn(of: found, in: order, until: due.adding(milliseconds: -needed))
        else {
            metrics.lostLeases.increment(.operation)
            return nil
        }
        let adapter: any PaymentAdapter
        do {
            adapter = try await directory.adapter(for: found.attempt.route.pspAccount, of: order.marketplace)
        } catch {
            logger.error(
                "no adapter for a PSP account",
                metadata: ["psp_account": "\(found.attempt.route.pspAccount)", "error": "\(type(of: error))"]
            )
            return Report(
                operation: id,
                outcome: .notSent(reason: Self.reason(error)),
                isOfSearch: found.operation.awaitsSearch,
                lease: found.operation.leases
            )
        }
        let can = adapter.capabilities
        let policy = ResumePolicy(
            order: order,
            attempt: found.attempt,
            operation: found.operation,
            capabilities: can,
            settings: settings,
            now: order.time(at: clock.now())
        )
        let answer: PSPAnswer?
        if let obstacle = await obstacle(to: found, in: order) {
            answer = PSPAnswer(outcome: obstacle)
        } else {
            answer = await carryOut(Job(found: found, order: order, details: details, adapter: adapter), policy, record)
        }
        return answer.map { answer in
            Report(
                operation: id,
                outcome: answer.outcome,
                timings: can.timings,
                isOfSearch: found.operation.awaitsSearch,
                canOnlyBeUndone: policy.canOnlyBeUndone,
                isAnswered: answer.isAnswered,
                severalCaptures: can.multipleCapture,
                retries: answer.retries ?? found.operation.retries,
                lease: found.operation.leases
            )
        }
    }

    /// Why there is no adapter for an account, without anything of its settings.
    private static func reason(_ error: any Error) -> String {
        guard case PSPDirectoryError.otherMode(_, let mode) = error else {
            return "the PSP account's settings do not work"
        }
        return PSPDirectoryError.sentence(aboutAccountOf: mode)
    }

    /// Waits until the account's budget has room for a second try, and says whether it had in time.
    ///
    /// What is not tried is not in doubt: its lease runs out, and whoever is next tries.
    private func isTurn(of found: Order.Found, in order: Order, until end: Timestamp) async -> Bool {
        let account = found.accountName(in: order)
        let isRetry = found.operation.leases > 1 && !found.operation.state.isWorkedOn
        if isRetry { metrics.psp.retries.increment(found.labels(in: order)) }
        var isDelayed = false
        while !health.mayCall(account, isRetry: isRetry, at: clock.now()) {
            if !isDelayed { metrics.psp.delayedRetries.increment(found.labels(in: order)) }
            isDelayed = true
            let next = clock.now().adding(milliseconds: random.number(in: 100...1000))
            guard next < end, (try? await clock.sleep(until: next)) != nil else { return false }
        }
        return true
    }

    /// What keeps an operation from being sent now; nil if nothing does.
    ///
    /// What an account has been told before goes on, whatever has become of the account.
    private func obstacle(to found: Order.Found, in order: Order) async -> Outcome? {
        guard found.operation.kind == .authorize, found.operation.leases <= 1 else { return nil }
        guard order.wantsAuthorization(of: found.payment) else {
            return .notSent(reason: "the order is decided without it")
        }
        if found.attempt.id != found.payment.attempts.first?.id, await isPaused(found, in: order) {
            return .notSent(reason: "paused")
        }
        guard let reason = health.obstacle(to: found.accountName(in: order), at: clock.now()) else { return nil }
        metrics.psp.keptBack.increment(found.labels(in: order))
        return .notSent(reason: reason)
    }

    /// Whether the account of another route was paused since the order was placed.
    private func isPaused(_ found: Order.Found, in order: Order) async -> Bool {
        let account = try? await database.read { session in
            try PSPAccountTable.find(found.attempt.route.pspAccount, of: order.marketplace, in: session)
        }
        return account?.status == .paused
    }

    /// The stored credential with what belongs to it; nil if it is erased or cannot be opened.
    private func openedDetails(of attempt: AttemptID) async -> AuthorizationDetails? {
        do {
            return try await credentials.details(of: attempt)
        } catch {
            logger.error("a credential cannot be opened", metadata: ["attempt": "\(attempt)"])
            return nil
        }
    }
}

extension OperationRunner {
    /// An operation with what a call is written from.
    struct Job {
        let found: Order.Found
        let order: Order
        var details: AuthorizationDetails?
        let adapter: any PaymentAdapter
    }

    /// Sends, inquires or waits, as the policy says.
    private func carryOut(_ job: Job, _ policy: ResumePolicy, _ record: SendingRecord) async -> PSPAnswer? {
        var job = job
        let mayBeSent = policy.action(hasCredential: true) == .send || policy.isHoldAskedFirst
        if job.details == nil, policy.operation.kind == .authorize, mayBeSent {
            job.details = await openedDetails(of: job.found.attempt.id)
        }
        switch policy.action(hasCredential: job.details != nil) {
        case .send: return await replay(job, policy, record)
        case .wait: return PSPAnswer(outcome: .unknown(reason: "the PSP cannot be asked; waiting for its word"))
        case .inquire:
            if policy.operation.awaitsSearch { return await call(job, .search) }
            guard let answer = await call(job, .inquire) else { return nil }
            switch policy.finding(answer.outcome, hasCredential: job.details != nil) {
            case .outcome(let outcome): return PSPAnswer(outcome: outcome)
            case .sendAgain(let isAnew): return await send(job, isAnew: isAnew, record)
            case .replay: return await replay(job, policy, record)
            }
        }
    }

    /// Sends an operation, again under its key if it was sent before: then a refusal may say nothing of the first sending.
    private func replay(_ job: Job, _ policy: ResumePolicy, _ record: SendingRecord) async -> PSPAnswer? {
        guard var answer = await send(job, isAnew: false, isHold: policy.isHoldAskedFirst, record) else { return nil }
        if let doubt = policy.doubt(afterReplay: answer.outcome) {
            answer.outcome = .unknown(reason: doubt.reason)
            answer.isAnswered = doubt.isAnswered
        }
        return answer
    }

    /// Sends an operation; what was in hand before is written down as sent first.
    ///
    /// A hold that is repeated because its PSP does not see it is not, if something was done to it since it was asked after.
    private func send(_ job: Job, isAnew: Bool, isHold: Bool = false, _ record: SendingRecord) async -> PSPAnswer? {
        let operation = job.found.operation
        guard operation.sentUnderLease < operation.leases else { return await call(job, .perform) }
        let order: Order
        switch await record(operation.id, operation.leases, isAnew) {
        case .recorded(let known): order = known
        case .decided: return PSPAnswer(outcome: .unknown(reason: "its order is decided: it is not sent again"))
        case .lost:
            metrics.lostLeases.increment(.operation)
            return nil
        }
        guard let found = order.find(operation.id) else { return nil }
        guard !isHold || !found.payment.isActedOn(found.attempt) else {
            return PSPAnswer(outcome: .unknown(reason: "something was done to its payment: it is not sent again"))
        }
        let sent = Job(found: found, order: order, details: job.details, adapter: job.adapter)
        guard var answer = await call(sent, .perform) else { return nil }
        answer.retries = found.operation.retries
        return answer
    }

    /// One call; nil if nothing that moves money has left, and nothing may.
    func call(
        _ job: Job,
        _ question: PSPExchange.Question
    ) async -> PSPAnswer? {
        let (found, order) = (job.found, job.order)
        var call = try? Call(
            found.operation,
            of: found.attempt,
            found.payment,
            in: order,
            details: job.details,
            capabilities: job.adapter.capabilities,
            purpose: question.purpose
        )
        // What else was made is found by our reference alone.
        if question == .search { call?.pspReference = nil }
        guard let call else { return PSPAnswer(outcome: .unknown(reason: "the operation has no amount")) }
        let account = CredentialWatch.Account(marketplace: order.marketplace, id: found.attempt.route.pspAccount)
        let exchange = PSPExchange(
            call: call,
            adapter: job.adapter,
            question: question,
            launchBy: found.launchBy(in: order),
            sender: sender,
            clock: clock,
            health: health,
            lines: lines,
            heartbeat: heartbeat,
            onRefusal: { [directory] in directory.forget(account.id, of: account.marketplace) },
            account: account,
            labels: found.labels(in: order),
            metrics: metrics.psp,
            random: random,
            logger: logger,
            recorder: PSPCallRecorder(
                call: call,
                labels: found.labels(in: order),
                tries: found.operation.leases,
                traceParent: order.traceParent,
                traces: traces,
                logger: logger
            )
        )
        let answer = await exchange.answer(withinMilliseconds: settings.pspTimeoutMilliseconds)
        if answer == nil {
            metrics.lostLeases.increment(.operation)
            heartbeat?.withhold(found.operation.id)
        }
        return answer
    }
}

extension OperationRunner {
    /// Writes down that an operation is sent once more.
    private func record(
        _ id: OperationID,
        underLease lease: Int64,
        isAnew: Bool,
        of order: Order,
        log: OrderLog
    ) async -> RecordedSending {
        do {
            let step = try await log.submit(.sending(id, lease: lease, isAnew: isAnew), to: order.id)
            guard let found = step.order.find(id), found.operation.leases == lease else { return .lost }
            let operation = found.operation
            if step.resent.contains(id) { return .recorded(step.order) }
            let now = step.order.time(at: clock.now())
            let isHeld = operation.isOpen && (operation.dueAt.map { $0 > now } ?? false)
            return isHeld && !step.order.wantsAuthorization(of: found.payment) ? .decided : .lost
        } catch {
            logger.error(
                "a sending could not be written down; it is left to whoever is next",
                metadata: order.metadata(of: id, error)
            )
            return .lost
        }
    }

    /// Gives an operation back that was not begun because this instance may send nothing; what was not begun for another
    /// reason is left to its lease.
    ///
    /// Nothing of it left under this lease, and nothing will.
    private func handBack(_ id: OperationID, of order: Order, log: OrderLog) async {
        guard heartbeat?.tookBack(id) == true, let lease = order.find(id)?.operation.leases else { return }
        do { _ = try await log.submit(.endLease(id, lease: lease, .unbegun), to: order.id) } catch {
            logger.info("an operation could not be given back", metadata: order.metadata(of: id, error))
        }
    }

    /// Submits an outcome, again and again while the lease lasts: the PSP has been heard, only the database has not.
    private func submit(_ report: Report, of order: Order, log: OrderLog) async {
        let end = order.find(report.operation)?.operation.dueAt.map(order.clock.realTime) ?? clock.now()
        var isLogged = false
        while true {
            do {
                _ = try await log.submit(.outcome(report), to: order.id)
                return
            } catch {
                // What is the order's own fault is recorded by the log, and looked at again when the lease is over.
                guard FailureRecorder.isElsewhere(error) else { return }
                if !isLogged {
                    logger.error(
                        "an outcome could not be stored yet",
                        metadata: order.metadata(of: report.operation, error)
                    )
                }
                isLogged = true
                guard clock.now() < end else { return metrics.lostLeases.increment(.operation) }
                let pause = clock.now().adding(milliseconds: Self.submissionPauseMilliseconds)
                guard (try? await clock.sleep(until: pause)) != nil else { return }
            }
        }
    }
}

extension Order {
    /// What a line of the log about one of its operations says, with the trace that it belongs to.
    fileprivate func metadata(of operation: OperationID, _ error: any Error) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["order": "\(id)", "operation": "\(operation)", "error": "\(error)"]
        metadata.addOrigin(traceParent.flatMap(TraceContext.init))
        return metadata
    }
}
