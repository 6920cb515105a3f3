import Domain
import Gateway
import Logging
import SQL
import Settings
import Storage

/// Gives back what the previous owner of an embedded database had in hand when it ended.
///
/// A lease keeps two instances from working on one operation at once. An embedded database has one owner, whose lock
/// the system drops only with the process; so whoever holds the lock knows that nobody else has anything in hand, and
/// need not wait until leases run out. From there on everything goes the usual way: what was ever in hand counts as
/// perhaps sent. With PostgreSQL nobody can know that, and leases run out by themselves.
struct LeaseRecovery {
    /// The most operations to look at; what lies beyond it becomes due with its lease.
    private static let limit = 1_000_000
    private static let ordersAtOnce = 100

    private let gateway: Gateway
    private let logger: Logger

    init(_ gateway: Gateway, logger: Logger) {
        self.gateway = gateway
        self.logger = logger
    }

    /// Makes everything due that somebody had in hand, endpoints of callbacks too.
    ///
    /// - Throws: `SQLError`.
    func run(on location: DatabaseLocation) async throws {
        guard case .sqlite = location else { return }
        try await gateway.database.write { session in try CallbackQueue.releaseAll(in: session) }
        let due = try await gateway.database.read { session in
            try WorkQueue.operations(dueAt: Timestamp(microseconds: .max), limit: Self.limit, in: session)
        }
        let orders = Array(Set(due.map(\.order))).sorted()
        guard !orders.isEmpty else { return }
        logger.info("looking after what was under way", metadata: ["orders": "\(orders.count)"])
        let rules = gateway.settings.rules
        for start in stride(from: 0, to: orders.count, by: Self.ordersAtOnce) {
            let batch = Array(orders[start..<min(start + Self.ordersAtOnce, orders.count)])
            let now = gateway.clock.now()
            try await gateway.database.write { session in
                for order in try OrderReader.load(batch, in: session) {
                    try Self.giveBack(order, at: now, rules: rules, in: session)
                }
            }
        }
    }

    private static func giveBack(
        _ before: Order,
        at now: Timestamp,
        rules: MachineRules,
        in session: any Session
    ) throws {
        var order = before
        for payment in order.payments.indices {
            for attempt in order.payments[payment].attempts.indices {
                for index in order.payments[payment].attempts[attempt].operations.indices {
                    order.payments[payment].attempts[attempt].operations[index].giveBack(at: now)
                }
            }
        }
        guard order != before else { return }
        order.version += 1
        let wakeAt = OrderMachine(order, at: now, by: "", rules: rules, ids: IdentifierSource()).wakeAt
        try OrderWriter.update(order, from: before, OrderMachine.Record(), answer: nil, wakeAt: wakeAt, in: session)
    }
}

extension Operation {
    /// Makes a leased operation due now.
    fileprivate mutating func giveBack(at now: Timestamp) {
        guard leasedBy != nil, let due = dueAt, due > now else { return }
        dueAt = now
    }
}
