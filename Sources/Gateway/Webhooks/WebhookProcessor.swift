import AdapterKit
import Domain
import Logging
import SQL
import Storage
import Telemetry

/// Applies stored events to their orders, one transaction for each: the order's step and the event's own row.
///
/// An event may be applied any number of times; what an order has heard once changes nothing the second time.
struct WebhookProcessor: Sendable {
    /// For how long an event that is about nothing we know is tried, from when it came: 24 hours, and as long as something of its
    /// attempt is in doubt.
    private static let patienceMilliseconds: Int64 = 86_400_000

    private let database: any Database
    private let clock: any GatewayClock
    private let rules: OrderTimings
    private let log: OrderLog
    private let capabilities: [String: Capabilities]
    private let logger: Logger
    private let metrics: CounterFamily<WebhookLabels>
    private let traces: TraceWriter
    private let performs: Bool

    /// Makes a processor.
    ///
    /// - Parameters:
    ///   - ports: database, clock, PSPs and logger.
    ///   - rules: the times to plan by, and to try again by.
    ///   - log: applies the events, and is handed the steps back once they are committed.
    ///   - performs: whether the log's instance performs what an event starts; else whoever looks next starts and does it.
    init(_ ports: Gateway.Ports, rules: OrderTimings, log: OrderLog, performs: Bool = true) {
        database = ports.database
        clock = ports.clock
        capabilities = ports.directory.capabilities
        logger = ports.logger
        metrics = ports.metrics.webhooks
        traces = ports.traces
        self.rules = rules
        self.log = log
        self.performs = performs
    }

    /// Applies an event to its order, and says whether something came of it that is stored.
    ///
    /// What goes wrong is recorded on the event alone, so that it holds up no other.
    func process(_ id: WebhookID) async -> Bool {
        do {
            let begin = traces.now
            let processed = try await database.write { session in try process(id, in: session) }
            for step in processed?.steps ?? [] {
                traces.record(step, since: begin)
                log.passOn(step)
            }
            if let entry = processed?.entry { report(entry) }
            return true
        } catch {
            return await record(error, on: id)
        }
    }

    private struct Processed: Sendable {
        let entry: WebhookEntry
        let steps: [OrderStep]
    }

    private func process(_ id: WebhookID, in session: any Session) throws -> Processed? {
        let now = clock.now()
        guard var entry = try WebhookTable.lock(id, in: session), let dueAt = entry.dueAt,
            entry.state == .received || dueAt <= now
        else { return nil }
        let result = try apply(entry, at: now, in: session)
        entry.order = result.order ?? entry.order
        switch result.verdict {
        case .applied: entry.finish(.applied, at: now)
        case .nothingSaid: entry.finish(.ignored, at: now)
        case .refused(let text): entry.fail(because: text, at: now)
        case .unmatched(let why): park(&entry, result, why, at: now)
        }
        try WebhookTable.update(entry, in: session)
        var steps = [result.step].compactMap(\.self)
        if let order = entry.order, entry.state == .problem || result.hasProblem {
            let step = try log.refreshWebhookProblem(of: order, about: result.attempt, at: clock.now(), in: session)
            steps += [step].compactMap(\.self)
        }
        return Processed(entry: entry, steps: steps)
    }

    /// What an order makes of an event.
    private struct Result {
        enum Verdict {
            /// The order knows all that it is about.
            case applied
            /// It says nothing of payments.
            case nothingSaid
            /// Some of it is about nothing we know yet; why, if its order says more of that.
            case unmatched(String? = nil)
            /// It must not be applied to the order it names, and why.
            case refused(String)
        }

        var verdict: Verdict
        /// The order it is about, if it was found.
        var order: OrderID?
        /// The attempt that the first of its notices is about, if it was found.
        var attempt: AttemptID?
        /// Whether something of the attempts that it is about is in doubt, or searched for: the PSP's word of that may say
        /// what it is about.
        var isDoubtful = false
        /// Whether all that it says is that payments came to nothing of which nobody told: nobody has to do anything.
        var isOver = false
        /// Whether a person was told of a webhook about the order before.
        var hasProblem = false
        /// The order's step, if there was one; stored already.
        var step: OrderStep?
    }

    /// Finds an event's order, locks it, and applies what the event says.
    ///
    /// - Throws: ``OrderLogError/ruleBroken(_:_:)`` or `SQLError`; then nothing may be stored.
    private func apply(_ entry: WebhookEntry, at now: Timestamp, in session: any Session) throws -> Result {
        if let problem = entry.document.problem { return Result(verdict: .refused(problem)) }
        let notices = entry.document.notices
        guard !notices.isEmpty else { return Result(verdict: .nothingSaid) }
        let found = try notices.map { notice in
            try SubjectSearch.find(notice.subject, at: entry.account, of: entry.marketplace, in: session)
        }
        let orders = Set(found.compactMap { $0?.order })
        guard orders.count <= 1 else { return Result(verdict: .refused("It speaks of several orders at once.")) }
        guard let id = orders.first, let locked = try log.lock(id, in: session) else {
            // One that was kept for an order waits as long as that order waits for what the PSP calls its payment.
            let kept = try OrderReader.loadReadable([entry.order].compactMap(\.self), in: session).orders.first
            return Result(verdict: .unmatched(), isDoubtful: kept?.awaitsName(at: entry.account) ?? false)
        }
        var result = Result(
            verdict: .applied,
            order: id,
            attempt: found.lazy.compactMap { $0?.attempt }.first,
            hasProblem: locked.order.attention.contains { $0.reason == .webhookProblem }
        )
        let attempts = locked.order.attempts(of: notices, found.map { $0?.attempt })
        result.isDoubtful = attempts.contains { $0.map { $0.hasDoubt || $0.authorization.awaitsSearch } ?? false }
        if let mismatch = WebhookMismatch.first(in: entry.document, about: attempts, of: locked.order) {
            result.verdict = mismatch.mayPass ? .unmatched(mismatch.text) : .refused(mismatch.text)
            result.isOver = mismatch.mayPass && notices.allSatisfy(\.isEnd)
            return result
        }
        let batch = NoticeBatch(
            zip(notices, attempts).map { NoticeBatch.Item($0, about: $1?.id) },
            capabilities[entry.psp],
            for: locked.order,
            settledFees: try notices.contains(where: \.tellsFee) ? DisputeFeeTable.settled(of: id, in: session) : [],
            receivedAt: entry.receivedAt
        )
        // Who performs nothing tells more than this event, and the order must not decide on a part of it.
        let inputs: [OrderInput] =
            performs || PlantedBug.followUpEarly.isPlanted
            ? [.notices(batch)] : [.deferFollowUp, .notices(batch), .releaseLeases(of: log.instance)]
        let step = try log.apply(inputs, to: locked, in: session)
        result.verdict = step.isMatched ? .applied : .unmatched()
        if !step.isEmpty { result.step = step }
        return result
    }

    /// Leaves an event for later, or, once it is old, gives it up: not while the PSP's word of what is in doubt is waited for,
    /// of which a person is told anyway.
    private func park(_ entry: inout WebhookEntry, _ result: Result, _ why: String?, at now: Timestamp) {
        let end = entry.receivedAt.adding(milliseconds: Self.patienceMilliseconds)
        let next = pauseEnd(for: entry, from: now)
        if now < end || result.isDoubtful, !PlantedBug.noticeDropped.isPlanted {
            entry.wait(.parked, until: now < end ? min(end, next) : next)
        } else if entry.order != nil, !result.isOver {
            entry.fail(because: why ?? "Its order is known, but nothing there that it could be about.", at: now)
        } else {
            entry.finish(.unrelated, at: now)
        }
    }

    private func pauseEnd(for entry: WebhookEntry, from now: Timestamp) -> Timestamp {
        now.adding(milliseconds: rules.pause(afterDoubts: entry.attempts + 1))
    }

    private func report(_ entry: WebhookEntry) {
        metrics.increment(WebhookLabels(psp: entry.psp, outcome: entry.state.rawValue))
        var metadata: Logger.Metadata = [
            "webhook": "\(entry.id)", "psp_account": "\(entry.account)", "type": "\(entry.type)",
        ]
        if let order = entry.order { metadata["order"] = "\(order)" }
        metadata.addOrigin(traces.current)
        switch entry.state {
        case .applied: logger.info("a webhook was told to its order", metadata: metadata)
        case .problem: logger.error("a webhook could not be told to its order", metadata: metadata)
        case .unrelated: logger.notice("a webhook is about nothing of ours", metadata: metadata)
        case .received, .parked, .ignored: return
        }
    }

    /// Records what went wrong: what may pass is tried again, all else is for a person.
    ///
    /// A database that is away is no fault of the event's. Where the order cannot be told of it either, the event is left to a person
    /// apart from the order.
    private func record(_ error: any Error, on id: WebhookID) async -> Bool {
        guard !FailureRecorder.isElsewhere(error) else { return false }
        logger.error("a webhook could not be told", metadata: ["webhook": "\(id)", "error": "\(error)"])
        do {
            return passOn(try await database.write { session in try giveUp(id, over: error, in: session) })
        } catch let second where !FailureRecorder.isElsewhere(second) {
            logger.error(
                "nobody could be told of a webhook on its order",
                metadata: ["webhook": "\(id)", "error": "\(second)"]
            )
            let apart = try? await database.write { session in try giveUp(id, over: error, apart: true, in: session) }
            return passOn(apart ?? nil)
        } catch {
            return false
        }
    }

    /// Says what was recorded, once it is; whether anything was.
    private func passOn(_ recorded: Processed?) -> Bool {
        guard let recorded else { return false }
        metrics.increment(WebhookLabels(psp: recorded.entry.psp, outcome: recorded.entry.state.rawValue))
        for step in recorded.steps { log.passOn(step) }
        return true
    }

    /// Leaves an event for later or to a person, who is told of it on its order in the same transaction.
    ///
    /// - Parameters:
    ///   - id: the event.
    ///   - error: what went wrong.
    ///   - apart: whether its order is left out, because it cannot be told.
    ///   - session: the transaction.
    /// - Returns: what was recorded; nil if somebody else was faster, or it cannot be read.
    /// - Throws: ``OrderLogError`` or `SQLError`; then nothing may be stored.
    private func giveUp(
        _ id: WebhookID,
        over error: any Error,
        apart: Bool = false,
        in session: any Session
    ) throws -> Processed? {
        let now = clock.now()
        guard var entry = try readable(id, at: now, in: session), entry.dueAt != nil else { return nil }
        let end = entry.receivedAt.adding(milliseconds: Self.patienceMilliseconds)
        if Self.mayPass(error), now < end {
            entry.wait(entry.state, until: pauseEnd(for: entry, from: now))
        } else {
            if case OrderLogError.ruleBroken(let order, _) = error { entry.order = order }
            entry.fail(because: Self.sentence(error), at: now)
        }
        if apart { entry.order = nil }
        try WebhookTable.update(entry, in: session)
        guard entry.state == .problem, let order = entry.order else { return Processed(entry: entry, steps: []) }
        let step = try log.refreshWebhookProblem(of: order, about: nil, at: clock.now(), in: session)
        return Processed(entry: entry, steps: [step].compactMap(\.self))
    }

    /// The event, its row locked; nil if there is none, or if what is stored of it cannot be read, which is left to a person.
    private func readable(_ id: WebhookID, at now: Timestamp, in session: any Session) throws(SQLError) -> WebhookEntry?
    {
        do {
            return try WebhookTable.lock(id, in: session)
        } catch {
            guard case .unexpectedValue(let column) = error else { throw error }
            let problem = "What is stored of it in the column \(column) cannot be read."
            try WebhookTable.giveUp(id, because: problem, at: now, in: session)
            return nil
        }
    }

    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case SQLError.broken, SQLError.unexpectedValue: true
        default: false
        }
    }

    private static func sentence(_ error: any Error) -> String {
        guard case OrderLogError.ruleBroken(_, let rule) = error else { return "It could not be told: \(error)" }
        return "It would break a rule that never breaks: \(rule)"
    }
}
