package import Domain
import SQL
import Storage
import Synchronization
import Telemetry
import Tracing

/// The one place where an order changes: it locks, loads, steps and stores orders, one transaction at a time for each,
/// and whatever an order is told goes through here.
///
/// ``submit(_:to:)-(OrderInput,_)`` is the mailbox: what arrives while the database is busy shares the next transaction.
/// Who has a transaction already applies inputs in it (``apply(_:to:at:in:)-(_,OrderID,_,_)``) and passes the step on once it
/// is committed (``passOn(_:)``).
final class OrderLog: Sendable {
    /// An order as it is stored, its row locked until the transaction ends; only the log makes one.
    struct LockedOrder {
        /// The order.
        let order: Order
        /// When it wants to be looked at, and who is told of its steps and waits for them.
        fileprivate let surroundings: OrderReader.Surroundings

        fileprivate init(_ order: Order, _ surroundings: OrderReader.Surroundings) {
            self.order = order
            self.surroundings = surroundings
        }
    }

    private struct Entry: Sendable {
        let input: OrderInput
        /// Who waits; nil if somebody waits for what lies in the mailbox behind it.
        let continuation: CheckedContinuation<OrderStep, any Error>?
        /// What the input belongs to: the trace and the request of whoever tells it.
        let context: InstrumentationContext?

        /// What a step belongs to that takes them all; nothing if they are of different requests.
        static func context(of entries: ArraySlice<Entry>) -> InstrumentationContext {
            guard let first = entries.first?.context,
                entries.allSatisfy({
                    $0.context?.trace?.trace == first.trace?.trace && $0.context?.requestID == first.requestID
                })
            else { return .topLevel }
            return first
        }
    }

    private struct Mailbox {
        var waiting: [Entry] = []
        /// The order after the latest step, while this instance has any of its operations in hand.
        var order: Order?
    }

    /// The instance that leases what the steps start.
    let instance: String

    private let mailboxes = Mutex<[OrderID: Mailbox]>([:])
    private let database: any Database
    private let clock: any GatewayClock
    private let rules: OrderTimings
    private let presentation: Presentation
    private let failures: FailureRecorder?
    private let traces: TraceWriter
    private let random: RandomSource
    private let agreements: AgreementSteps
    private let afterCommit: @Sendable (OrderStep, OrderLog) -> Void

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - database: where orders are.
    ///   - clock: the time of each step.
    ///   - rules: the times to plan by.
    ///   - instance: a name no other instance has.
    ///   - presentation: writes orders as answers and callbacks show them.
    ///   - failures: counts the steps that cannot be taken.
    ///   - traces: where steps are told of.
    ///   - random: where the identifiers of what a step adds begin.
    ///   - vault: seals what PSPs keep for agreements; nil where no PSP is called.
    ///   - afterCommit: performs what a step leased, and wakes who waits for it, once it is committed. Must not block.
    init(
        database: any Database,
        clock: any GatewayClock,
        rules: OrderTimings,
        instance: String,
        presentation: Presentation,
        failures: FailureRecorder? = nil,
        traces: TraceWriter = .none,
        random: RandomSource = .system,
        vault: Vault? = nil,
        afterCommit: @escaping @Sendable (OrderStep, OrderLog) -> Void = { _, _ in }
    ) {
        self.database = database
        self.clock = clock
        self.rules = rules
        self.instance = instance
        self.presentation = presentation
        self.failures = failures
        self.traces = traces
        self.random = random
        agreements = AgreementSteps(
            writer: AgreementWriter(presentation: presentation, random: random),
            vault: vault,
            random: random
        )
        self.afterCommit = afterCommit
    }

    /// Tells an order something, and answers the committed step that it became part of.
    ///
    /// - Throws: `SQLError`; then nothing was stored, and whoever has the operation in hand loses its lease.
    func submit(_ input: OrderInput, to id: OrderID) async throws -> OrderStep { try await submit([input], to: id) }

    /// Tells an order several things, and answers the committed step that the last of them became part of.
    ///
    /// They share a step unless one of them makes it fail; then each has its own, and those that fail are recorded.
    ///
    /// - Throws: what the last one's step throws.
    func submit(_ inputs: [OrderInput], to id: OrderID) async throws -> OrderStep {
        let context = InstrumentationContext.current
        return try await withCheckedThrowingContinuation { continuation in
            let entries = inputs.enumerated().map { index, input in
                Entry(input: input, continuation: index == inputs.count - 1 ? continuation : nil, context: context)
            }
            let isIdle = mailboxes.withLock { mailboxes in
                let isIdle = mailboxes[id]?.waiting.isEmpty ?? true
                mailboxes[id, default: Mailbox()].waiting += entries
                return isIdle
            }
            guard isIdle else { return }
            // Each step belongs to whoever told what is in it, and not to whoever found the mailbox empty.
            InstrumentationContext.withValue(.topLevel) { _ = Task { await self.work(on: id) } }
        }
    }

    /// Keeps a placed order at hand, so that its next step need not read it.
    func cache(_ order: Order) {
        mailboxes.withLock { mailboxes in
            if mailboxes[order.id] == nil { mailboxes[order.id] = Mailbox() }
            mailboxes[order.id]?.order = order
        }
    }

    /// Whether this instance has any of an order's operations in hand, or something to tell it.
    func drives(_ id: OrderID) -> Bool { mailboxes.withLock { $0[id] != nil } }

    /// The orders of which this instance has any operation in hand, as of their latest steps.
    var inHand: [Order] { mailboxes.withLock { mailboxes in mailboxes.values.compactMap(\.order) } }

    /// Has a step's operations performed, and wakes who waits for the order, once the step is committed.
    func passOn(_ step: OrderStep) { afterCommit(step, self) }

    /// Works off an order's mailbox until it is empty.
    ///
    /// The entries stay in it while they are worked on, so that nobody else starts. A step takes what lies in the
    /// mailbox once it has the order's lock, not when it was asked for: what arrives while the database is busy, and while the
    /// lock is on its way, shares it.
    ///
    /// What fails together is tried one by one, so that one input that cannot be applied keeps no other from the order.
    private func work(on id: OrderID) async {
        await Task.yield()
        var alone = 0
        while true {
            let result: Result<(step: OrderStep, taken: Int), any Error>
            let limit = alone > 0 ? 1 : Int.max
            let begin = traces.now
            do {
                result = .success(try await step(id, atMost: limit))
            } catch {
                let entries = mailboxes.withLock { $0[id]?.waiting.prefix(limit) ?? [] }
                if entries.count > 1, !FailureRecorder.isElsewhere(error), !FailureRecorder.isWholeOrders(error) {
                    alone = entries.count
                    continue
                }
                await InstrumentationContext.withValue(Entry.context(of: entries)) {
                    await failures?.record(error, telling: entries.map(\.input), about: id)
                }
                result = .failure(error)
            }
            let (done, isEmpty) = finish(id, result, atMost: limit)
            alone = max(0, alone - 1)
            if case .success(let success) = result {
                InstrumentationContext.withValue(Entry.context(of: done)) {
                    if !success.step.isEmpty { traces.record(success.step, since: begin) }
                    passOn(success.step)
                }
            }
            for entry in done { entry.continuation?.resume(with: result.map(\.step)) }
            if isEmpty { return }
        }
    }

    /// Takes what was worked on out of the mailbox, after a failure all of it, and says whether nothing is left.
    private func finish(
        _ id: OrderID,
        _ result: Result<(step: OrderStep, taken: Int), any Error>,
        atMost limit: Int
    ) -> (done: ArraySlice<Entry>, isEmpty: Bool) {
        mailboxes.withLock { mailboxes in
            let waiting = mailboxes[id]?.waiting ?? []
            let success = try? result.get()
            let taken = success?.taken ?? min(waiting.count, limit)
            mailboxes[id]?.waiting.removeFirst(taken)
            mailboxes[id]?.order = success.flatMap { $0.step.order.isInHand(of: instance) ? $0.step.order : nil }
            let isEmpty = taken == waiting.count
            if isEmpty, mailboxes[id]?.order == nil { mailboxes[id] = nil }
            return (waiting.prefix(taken), isEmpty)
        }
    }

    private func step(_ id: OrderID, atMost limit: Int) async throws -> (step: OrderStep, taken: Int) {
        try await database.write { [self] session in
            let known = mailboxes.withLock { $0[id]?.order }
            guard let locked = try lock(id, knowing: known, in: session) else { throw OrderLogError.unknownOrder(id) }
            let inputs = mailboxes.withLock { $0[id]?.waiting.prefix(limit).map(\.input) ?? [] }
            return (try apply(inputs, to: locked, in: session), inputs.count)
        }
    }
}

extension OrderLog {
    /// Locks an order's row until the transaction ends, and reads the order unless `known` is the same version of it.
    ///
    /// - Returns: the order; nil if there is none of that name.
    /// - Throws: `SQLError`.
    func lock(_ id: OrderID, knowing known: Order? = nil, in session: any Session) throws(SQLError) -> LockedOrder? {
        let surroundings = try OrderReader.lockToStep(id, by: instance, at: clock.now(), knowing: known, in: session)
        guard let found = surroundings else { return nil }
        if let known, known.version == found.version || PlantedBug.staleOrder.isPlanted {
            return LockedOrder(known, found)
        }
        return try OrderReader.load(id, in: session).map { LockedOrder($0, found) }
    }

    /// Applies inputs to an order, and stores the step if anything came of it.
    ///
    /// - Parameters:
    ///   - inputs: what the order is told.
    ///   - locked: the order, locked in the same transaction.
    ///   - now: the real moment of the step; nil for the present one. The step is taken by the marketplace's clock.
    ///   - session: the transaction.
    /// - Returns: the step; once the transaction is committed it is to be passed on.
    /// - Throws: `RequestRefusal`, ``OrderLogError/ruleBroken(_:_:)`` or `SQLError`; then nothing may be stored.
    func apply(
        _ inputs: [OrderInput],
        to locked: LockedOrder,
        at now: Timestamp? = nil,
        in session: any Session
    ) throws -> OrderStep {
        let now = now ?? clock.now()
        guard locked.order.version + 1 < IdentifierSource.stepLimit else {
            throw OrderLogError.ruleBroken(locked.order.id, "an order has at most \(IdentifierSource.stepLimit) steps")
        }
        let marketplaceClock = locked.order.clock.later(of: locked.surroundings.clock)
        var machine = OrderMachine(
            locked.order,
            at: marketplaceClock.time(at: now),
            by: instance,
            rules: rules,
            ids: IdentifierSource(of: locked.order.id, step: locked.order.version + 1, random: random)
        )
        machine.follow(marketplaceClock)
        for input in inputs { try machine.apply(input) }
        let step = machine.finish(answering: presentation.answer)
        guard !step.isEmpty else {
            try agreements.write(inputs, locked.order, since: locked.order, at: now, in: session)
            return step
        }
        try step.order.requireRules()
        try OrderWriter.update(
            step.order,
            from: locked.order,
            step.record,
            work: locked.surroundings.work,
            at: now,
            told: step.announcements,
            answer: locked.surroundings.isAnswerUnkept && !PlantedBug.answerUnkept.isPlanted
                ? presentation.answer(locked.order) : nil,
            wakeAt: step.wakeAt,
            in: session
        )
        let told = step.announcements.filter { locked.surroundings.endpoints.contains($0.merchant) }
        let callbacks = CallbackWriter(presentation: presentation).callbacks(for: told, of: step.order)
        try Outbox.insert(callbacks, for: locked.surroundings.endpoints, in: session)
        try agreements.write(inputs, step.order, since: locked.order, at: now, in: session)
        try WalletOrderSteps.write(step.order, since: locked.order, at: now, in: session)
        if locked.surroundings.isAwaited, step.endsWaits { try OrderWaiterTable.notify(of: step.order.id, in: session) }
        return step
    }

    /// Locks an order and applies inputs to it.
    ///
    /// - Returns: the step; once the transaction is committed it is to be passed on.
    /// - Throws: `RequestRefusal`, ``OrderLogError`` or `SQLError`; then nothing may be stored.
    func apply(
        _ inputs: [OrderInput],
        to id: OrderID,
        at now: Timestamp? = nil,
        in session: any Session
    ) throws -> OrderStep {
        guard let locked = try lock(id, in: session) else { throw OrderLogError.unknownOrder(id) }
        return try apply(inputs, to: locked, at: now, in: session)
    }

    /// What placing an order comes to; nothing is stored yet.
    ///
    /// - Parameters:
    ///   - order: the order as planned.
    ///   - tokens: what of wallet tokens pays which payment, and why.
    ///   - caller: who orders.
    ///   - now: the moment of the step, by the marketplace's clock.
    ///   - ids: makes the identifiers of what the step starts.
    /// - Returns: the step, to be inserted.
    /// - Throws: nothing that a placement can bring about.
    func placement(
        of order: Order,
        tokens: [PaymentID: [OrderEvent.Detail]],
        by caller: Caller?,
        at now: Timestamp,
        ids: IdentifierSource
    ) throws -> OrderStep {
        var machine = OrderMachine(order, at: now, by: instance, rules: rules, ids: ids)
        try machine.apply(.placement(tokens: tokens, by: caller))
        return machine.finish(answering: presentation.answer)
    }

    /// Writes down an order that was just placed.
    ///
    /// - Throws: `SQLError.uniqueViolation` if its reference is in use, with the next read or the commit.
    func insert(_ placement: OrderStep, in session: any Session) throws(SQLError) {
        try OrderWriter.insert(placement.order, placement.record, wakeAt: placement.wakeAt, in: session)
    }
}

/// Why an order cannot be changed.
package enum OrderLogError: Error, Hashable {
    /// There is no such order.
    case unknownOrder(OrderID)
    /// The step would break a rule that never breaks; nothing was stored.
    case ruleBroken(OrderID, String)
}

extension Order {
    /// Whether the instance has any of its operations in hand.
    func isInHand(of instance: String) -> Bool {
        payments.contains { $0.attempts.contains { $0.operations.contains { $0.leasedBy == instance } } }
    }

    /// Refuses to store an order that breaks a rule.
    fileprivate func requireRules() throws(OrderLogError) {
        if let violation = OrderRules.violations(of: self).first { throw .ruleBroken(id, "\(violation)") }
    }
}

extension OrderStep {
    /// Whether who waits for the order may have an answer by the step: the checkout's, or that something was heard of all
    /// that was asked for since.
    ///
    /// Others are not told of each step in between, because PostgreSQL commits transactions that notify one at a time.
    fileprivate var endsWaits: Bool {
        answer != nil || order.isAnswered && (order.hasFirstReplies || order.decision.state == .accepted)
    }
}
