import Domain
import SQL
import Storage
import Synchronization

/// Tells requests that wait for their orders of each step.
///
/// The steps that this instance commits are published to those who wait here. The steps of others it hears of by notifications
/// (``StepNotifications``), where the database has them; then the order is read once for all who wait for it. Below both is a net:
/// who has heard nothing for some seconds looks at the order, so that a lost notification costs no more than that.
final class OrderUpdates: Sendable {
    /// What wakes a subscriber.
    enum Event: Sendable {
        /// The order after a step or as it was read, and its final answer if that is at hand.
        case step(Order, answer: [UInt8]?)
        /// The time until which the subscriber wanted to wait has come.
        case timeout
    }

    /// An order as it is stored, and its final answer if there is one.
    struct StoredOrder: Sendable {
        let order: Order
        let answer: [UInt8]?
    }

    private struct Waiting {
        var subscribers: [UInt64: AsyncStream<Event>.Continuation] = [:]
        /// What asks other instances to tell of the order's steps.
        var registration: StepNotifications.Registration?
    }

    /// A look at an order that is under way, for all who wait for it.
    private struct Look {
        let task: Task<Void, any Error>
        /// Whether a notification came after it had begun.
        var isOutdated = false
    }

    private struct State {
        var next: UInt64 = 0
        var orders: [OrderID: Waiting] = [:]
        var looks: [OrderID: Look] = [:]
    }

    private let database: any Database
    private let presentation: Presentation
    private let clock: any GatewayClock
    private let instance: String
    private let netMilliseconds: Int64
    private let random: RandomSource
    private let notifications: StepNotifications
    private let state = Mutex(State())

    /// Makes the updates of an instance; it does not listen before somebody waits for what others do.
    ///
    /// - Parameters:
    ///   - database: where the orders are.
    ///   - presentation: writes orders as final answers show them.
    ///   - clock: what time it is.
    ///   - instance: a name no other instance has.
    ///   - netMilliseconds: how often to look at an order that nothing is heard of, give or take a quarter.
    ///   - random: where a quarter more or less is drawn from.
    init(
        database: any Database,
        presentation: Presentation,
        clock: any GatewayClock,
        instance: String,
        netMilliseconds: Int64,
        random: RandomSource = .system
    ) {
        self.random = random
        self.database = database
        self.presentation = presentation
        self.clock = clock
        self.instance = instance
        self.netMilliseconds = netMilliseconds
        notifications = StepNotifications(database: database, clock: clock, instance: instance)
    }

    /// Tells everyone who waits for the order of a step.
    func publish(_ step: OrderStep) { publish(step.order, answer: step.answer) }

    /// Lends `body` a subscription to the steps of an order from now on.
    func withSubscription<Value: Sendable>(
        to order: OrderID,
        _ body: (inout Subscription) async throws -> Value
    ) async rethrows -> Value {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        let number = state.withLock { state in
            state.next += 1
            state.orders[order, default: Waiting()].subscribers[state.next] = continuation
            return state.next
        }
        defer { leave(order, number) }
        var subscription = Subscription(
            order: order,
            updates: self,
            iterator: stream.makeAsyncIterator(),
            continuation: continuation
        )
        defer { subscription.alarm?.task.cancel() }
        return try await body(&subscription)
    }

    private func leave(_ order: OrderID, _ number: UInt64) {
        let registration = state.withLock { state -> StepNotifications.Registration? in
            state.orders[order]?.subscribers[number] = nil
            guard state.orders[order]?.subscribers.isEmpty == true else { return nil }
            return state.orders.removeValue(forKey: order)?.registration
        }
        if let registration { notifications.withdraw(registration) }
    }

    private func publish(_ order: Order, answer: [UInt8]?) {
        let subscribers = state.withLock { $0.orders[order.id]?.subscribers ?? [:] }
        for continuation in subscribers.values { continuation.yield(.step(order, answer: answer)) }
    }
}

extension OrderUpdates {
    /// Asks other instances to tell of an order's steps, once for all who wait for it here, and again before that runs out.
    ///
    /// - Returns: whether others tell of them; from then on, as far as this instance can know.
    private func register(_ order: OrderID) async -> Bool {
        guard notifications.listen(hearing: { [weak self] in self?.hear($0) }) else { return false }
        let registration = state.withLock { state -> StepNotifications.Registration? in
            let known = state.orders[order]?.registration
            if let known, notifications.isFresh(known) { return known }
            let new = notifications.register(order, replacing: known)
            state.orders[order]?.registration = new
            return new
        }
        await registration?.task.value
        return true
    }

    /// Looks at the order that a notification is about, or, after notifications may have been lost, at all that others may step.
    private func hear(_ notification: DatabaseNotification) {
        state.withLock { state in
            switch notification {
            case .said(let text):
                if let order = OrderID(text), state.orders[order] != nil { look(at: order, &state) }
            case .listening:
                for (order, waiting) in state.orders where waiting.registration != nil { look(at: order, &state) }
            }
        }
    }

    /// Begins to look at an order, or has the look that is under way be followed by one more.
    private func look(at order: OrderID, _ state: inout State) {
        if state.looks[order] != nil {
            state.looks[order]?.isOutdated = true
        } else {
            state.looks[order] = Look(task: Task { try await self.lookUntilCurrent(at: order) })
        }
    }

    /// Looks at an order for all who wait for it, or waits for the look that is under way.
    ///
    /// - Throws: `SQLError`.
    private func look(at order: OrderID) async throws {
        let task = state.withLock { state in
            if state.looks[order] == nil { look(at: order, &state) }
            return state.looks[order]?.task
        }
        try await task?.value
    }

    private func lookUntilCurrent(at order: OrderID) async throws {
        do {
            repeat {
                if let stored = try await read(order) { publish(stored.order, answer: stored.answer) }
            } while isOutdated(order)
        } catch {
            state.withLock { $0.looks[order] = nil }
            throw error
        }
    }

    /// Whether the look that was taken is to be followed by another; if not, it is over.
    private func isOutdated(_ order: OrderID) -> Bool {
        state.withLock { state in
            guard state.looks[order]?.isOutdated == true else {
                state.looks[order] = nil
                return false
            }
            state.looks[order]?.isOutdated = false
            return true
        }
    }

    /// Reads an order, and its final answer if it has one: the one that is kept, or what the order says, because no step
    /// followed the one that made it.
    private func read(_ id: OrderID) async throws -> StoredOrder? {
        try await database.read { [presentation] session in
            guard let order = try OrderReader.load(id, in: session) else { return nil }
            guard order.isAnswered else { return StoredOrder(order: order, answer: nil) }
            let kept = try OrderSteps.answer(to: id, in: session)
            return StoredOrder(order: order, answer: kept ?? presentation.answer(order))
        }
    }

    /// The steps of an order, whoever takes them.
    struct Subscription {
        fileprivate let order: OrderID
        fileprivate let updates: OrderUpdates
        fileprivate var iterator: AsyncStream<Event>.Iterator
        fileprivate let continuation: AsyncStream<Event>.Continuation
        /// Whether others tell of the steps, where they can.
        fileprivate var isRegistered = false
        /// What ends a wait; it outlives the wait that a step ended, for the one behind it.
        fileprivate var alarm: (time: Timestamp, task: Task<Void, any Error>)?

        /// Reads the order.
        ///
        /// - Parameter announcing: whether others are asked first to tell of its steps, because they drive it.
        /// - Returns: nil if there is no such order.
        /// - Throws: `SQLError`.
        mutating func current(announcing: Bool) async throws -> StoredOrder? {
            if announcing {
                isRegistered = true
                _ = await updates.register(order)
            }
            return try await updates.read(order)
        }

        /// Waits for the next step.
        ///
        /// An order that this instance has not in hand is made known to others first, and read once behind that.
        ///
        /// - Parameters:
        ///   - known: the order as the subscriber knows it.
        ///   - end: until when to wait; nil for as long as it takes.
        /// - Returns: the step, or the timeout once `end` has come.
        /// - Throws: `SQLError` of a look at the order, or `CancellationError`.
        mutating func next(after known: Order, until end: Timestamp?) async throws -> Event {
            if !isRegistered, !known.isInHand(of: updates.instance) {
                isRegistered = true
                if await updates.register(order), let stored = try await updates.read(order) {
                    return .step(stored.order, answer: stored.answer)
                }
            }
            var lookAt = updates.nextLook()
            while true {
                let event = await event(until: min(lookAt, end ?? lookAt))
                if case .step = event { return event }
                try Task.checkCancellation()
                let now = updates.clock.now()
                if let end, now >= end { return .timeout }
                // An alarm of an earlier wait may come early.
                guard now >= lookAt else { continue }
                if isRegistered { _ = await updates.register(order) }
                try await updates.look(at: order)
                lookAt = updates.nextLook()
            }
        }

        private mutating func event(until time: Timestamp) async -> Event {
            if alarm.map({ $0.time > time }) ?? true { setAlarm(at: time) }
            let event = await iterator.next(isolation: #isolation) ?? .timeout
            if case .timeout = event {
                alarm?.task.cancel()
                alarm = nil
            }
            return event
        }

        private mutating func setAlarm(at time: Timestamp) {
            alarm?.task.cancel()
            let (continuation, clock) = (continuation, updates.clock)
            let task = Task {
                try await clock.sleep(until: time)
                continuation.yield(.timeout)
            }
            alarm = (time, task)
        }
    }

    /// When who hears nothing looks next: a quarter earlier or later than the net says, so that not all look at once.
    private func nextLook() -> Timestamp {
        clock.now().adding(milliseconds: netMilliseconds * 3 / 4 + random.number(in: 0...netMilliseconds / 2))
    }
}
