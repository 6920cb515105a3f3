import AdapterKit
import Domain
import Logging
import SQL
import Storage

/// Tells stored events to their orders, one transaction for each: the order's step and the event's own row.
///
/// An event may be told any number of times; what an order has heard once changes nothing the second time.
struct WebhookFolder: Sendable {
    /// For how long an event that is about nothing we know is tried, from when it came: 24 hours.
    private static let patienceMilliseconds: Int64 = 86_400_000

    private let database: any Database
    private let clock: any GatewayClock
    private let rules: MachineRules
    private let writer: StepWriter
    private let capabilities: [String: Capabilities]
    private let onStep: @Sendable (StepWriter.Step) -> Void
    private let logger: Logger

    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - ports: database, clock, PSPs and logger.
    ///   - rules: the times to plan by, and to try again by.
    ///   - writer: stores the steps.
    ///   - onStep: told after each commit that changed an order; must not block.
    init(
        _ ports: Gateway.Ports,
        rules: MachineRules,
        writer: StepWriter,
        onStep: @escaping @Sendable (StepWriter.Step) -> Void
    ) {
        database = ports.database
        clock = ports.clock
        capabilities = ports.directory.capabilities
        logger = ports.logger
        self.rules = rules
        self.writer = writer
        self.onStep = onStep
    }

    /// Tells an event to its order, and says whether something came of it that is stored.
    ///
    /// What goes wrong is noted on the event alone, so that it holds up no other.
    func fold(_ id: WebhookID) async -> Bool {
        do {
            let told = try await database.write { session in try tell(id, in: session) }
            for step in told?.steps ?? [] { onStep(step) }
            if let entry = told?.entry { report(entry) }
            return true
        } catch {
            return await note(error, on: id)
        }
    }

    private struct Told: Sendable {
        let entry: WebhookEntry
        let steps: [StepWriter.Step]
    }

    private func tell(_ id: WebhookID, in session: any Session) throws -> Told? {
        let now = clock.now()
        guard var entry = try WebhookTable.lock(id, in: session), let dueAt = entry.dueAt,
            entry.state == .received || dueAt <= now
        else { return nil }
        let hearing = try WebhookHearing(
            of: entry,
            at: now,
            rules: rules,
            writer: writer,
            capabilities: capabilities[entry.psp],
            in: session
        )
        entry.order = hearing.order ?? entry.order
        switch hearing.verdict {
        case .applied: entry.settle(.applied, at: now)
        case .nothingSaid: entry.settle(.ignored, at: now)
        case .objection(let text): entry.fail(because: text, at: now)
        case .unmatched: park(&entry, isOrderKnown: hearing.order != nil, at: now)
        }
        try WebhookTable.update(entry, in: session)
        var steps = [hearing.step].compactMap(\.self)
        if let order = entry.order, entry.state == .problem || hearing.hasProblem {
            let step = try attention.review(order, about: hearing.attempt, at: now, in: session)
            steps += [step].compactMap(\.self)
        }
        return Told(entry: entry, steps: steps)
    }

    private var attention: WebhookAttention { WebhookAttention(rules: rules, writer: writer) }

    /// Leaves an event for later, or, once it is old, gives it up.
    private func park(_ entry: inout WebhookEntry, isOrderKnown: Bool, at now: Timestamp) {
        let end = entry.receivedAt.adding(milliseconds: Self.patienceMilliseconds)
        if now < end {
            entry.wait(.parked, until: min(end, pauseEnd(for: entry, from: now)))
        } else if isOrderKnown {
            entry.fail(because: "Its order is known, but nothing there that it could be about.", at: now)
        } else {
            entry.settle(.unrelated, at: now)
        }
    }

    private func pauseEnd(for entry: WebhookEntry, from now: Timestamp) -> Timestamp {
        now.adding(milliseconds: rules.pause(afterDoubts: entry.attempts + 1))
    }

    private func report(_ entry: WebhookEntry) {
        let metadata: Logger.Metadata = [
            "webhook": "\(entry.id)", "psp_account": "\(entry.account)", "type": "\(entry.type)",
        ]
        switch entry.state {
        case .problem: logger.error("a webhook could not be told to its order", metadata: metadata)
        case .unrelated: logger.notice("a webhook is about nothing of ours", metadata: metadata)
        case .received, .applied, .parked, .ignored: return
        }
    }

    /// Notes what went wrong: what may pass is tried again, all else is for a person.
    ///
    /// A database that is away is no fault of the event's.
    private func note(_ error: any Error, on id: WebhookID) async -> Bool {
        guard !FailureRecorder.isElsewhere(error) else { return false }
        logger.error("a webhook could not be told", metadata: ["webhook": "\(id)", "error": "\(error)"])
        do {
            let noted = try await database.write { session -> WebhookEntry? in
                let now = clock.now()
                let found: WebhookEntry?
                do {
                    found = try WebhookTable.lock(id, in: session)
                } catch SQLError.unexpectedValue(let column) {
                    let problem = "What is stored of it in the column \(column) cannot be read."
                    try WebhookTable.giveUp(id, because: problem, at: now, in: session)
                    return nil
                }
                guard var entry = found, entry.dueAt != nil else { return nil }
                let end = entry.receivedAt.adding(milliseconds: Self.patienceMilliseconds)
                if Self.mayPass(error), now < end {
                    entry.wait(entry.state, until: pauseEnd(for: entry, from: now))
                } else {
                    if case OrderDeskError.ruleBroken(let order, _) = error { entry.order = order }
                    entry.fail(because: Self.sentence(error), at: now)
                }
                try WebhookTable.update(entry, in: session)
                return entry
            }
            guard let noted else { return false }
            if noted.state == .problem, let order = noted.order { await raise(noted, about: order) }
            return true
        } catch {
            return false
        }
    }

    /// Tells a person of an event that its order broke over, apart from the event's own row: the order may break again.
    private func raise(_ entry: WebhookEntry, about order: OrderID) async {
        do {
            let step = try await database.write { session in
                try attention.review(order, about: nil, at: clock.now(), in: session)
            }
            if let step { onStep(step) }
        } catch {
            logger.error(
                "nobody could be told of a webhook on its order",
                metadata: ["webhook": "\(entry.id)", "order": "\(order)", "error": "\(error)"]
            )
        }
    }

    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case SQLError.broken, SQLError.unexpectedValue: true
        default: false
        }
    }

    private static func sentence(_ error: any Error) -> String {
        guard case OrderDeskError.ruleBroken(_, let rule) = error else { return "It could not be told: \(error)" }
        return "It would break a rule that never breaks: \(rule)"
    }
}
