import Domain
import SQL
import Storage
import Synchronization

/// Has other instances tell of the steps of orders that somebody waits for here.
///
/// An instance that waits for an order which it does not drive writes that down (``OrderWaiterTable``), and takes it back
/// when nobody waits any more. A step looks for such rows where it locks its order anyway, and notifies only if there is one:
/// PostgreSQL commits transactions that notify one at a time, which orders nobody waits for elsewhere must not pay for.
final class StepNotifications: Sendable {
    /// For how long a row counts; it is renewed in the second half of that while somebody waits.
    private static let lifeMilliseconds: Int64 = 30_000

    /// That this instance waits for an order.
    struct Registration: Sendable {
        /// Ends once it is written down, or could not be: then who waits looks by itself.
        let task: Task<Void, Never>
        fileprivate let waiter: OrderWaiterTable.Waiter
    }

    private struct State {
        var listening: Task<Void, Never>?
        var number: Int64 = 0
        var sweepsAt: Timestamp?
    }

    private let database: any Database
    private let clock: any GatewayClock
    private let instance: String
    private let state = Mutex(State())

    /// Makes the notifications of an instance.
    init(database: any Database, clock: any GatewayClock, instance: String) {
        self.database = database
        self.clock = clock
        self.instance = instance
    }

    deinit { state.withLock { $0.listening }?.cancel() }

    /// Listens from the first call on.
    ///
    /// - Parameter hear: is told of each notification.
    /// - Returns: whether the database has notifications at all.
    func listen(hearing hear: @escaping @Sendable (DatabaseNotification) -> Void) -> Bool {
        state.withLock { state in
            if state.listening != nil { return true }
            guard let stream = database.notifications(on: OrderWaiterTable.channel) else { return false }
            state.listening = Task {
                for await notification in stream { hear(notification) }
            }
            return true
        }
    }

    /// Whether a registration need not be renewed yet.
    func isFresh(_ registration: Registration) -> Bool {
        clock.now().adding(milliseconds: Self.lifeMilliseconds / 2) < registration.waiter.expiresAt
    }

    /// Registers this instance for an order's steps.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - old: the registration that runs out.
    /// - Returns: the registration, which is being written down.
    func register(_ order: OrderID, replacing old: Registration?) -> Registration {
        let now = clock.now()
        let (number, sweeps) = state.withLock { state in
            state.number += 1
            let sweeps = state.sweepsAt.map { $0 <= now } ?? true
            if sweeps { state.sweepsAt = now.adding(milliseconds: 2 * Self.lifeMilliseconds) }
            return (state.number, sweeps)
        }
        let waiter = OrderWaiterTable.Waiter(
            for: order,
            at: instance,
            number: number,
            expiresAt: now.adding(milliseconds: Self.lifeMilliseconds)
        )
        let task = Task { [database] in
            await old?.task.value
            _ = try? await database.write { session in
                try OrderWaiterTable.insert(waiter, in: session)
                if let old { try OrderWaiterTable.delete(old.waiter, in: session) }
                if sweeps { try OrderWaiterTable.deleteExpired(at: now, in: session) }
            }
        }
        return Registration(task: task, waiter: waiter)
    }

    /// Takes a registration back; nobody waits for that.
    func withdraw(_ registration: Registration) {
        Task { [database] in
            await registration.task.value
            _ = try? await database.write { session in
                try OrderWaiterTable.delete(registration.waiter, in: session)
            }
        }
    }
}
