package import Domain
package import SQL

/// When an order wants to be looked at, and in whose queue it waits.
package struct OrderSchedule: Hashable, Sendable {
    /// The first real moment at which anything of it is due; nil if it waits for nothing but replies that nobody bounds.
    package let at: Timestamp?
    /// The PSP account of the operation that is due first, with its marketplace; the marketplace if that is the order's own
    /// look at the clock.
    package let share: String
    /// Whether an instance has any of its operations in hand.
    package let isInHand: Bool
    /// Whether it has anything that may change by itself: something due, or money held on a card.
    package let isOpen: Bool

    /// The schedule of an order.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - wakeAt: when it wants to look at the clock, by its marketplace's.
    ///   - held: operations that failed, and until which real moment each is left alone.
    package init(of order: Order, wakeAt: Timestamp?, held: [OperationID: Timestamp] = [:]) {
        let clock = order.clock
        var (first, account, isInHand, isHolding) = (wakeAt.map(clock.realTime), String?.none, false, false)
        for attempt in order.payments.lazy.flatMap(\.attempts) {
            isHolding = isHolding || attempt.held > 0
            for operation in attempt.operations {
                guard let due = operation.dueAt.map(clock.realTime) else { continue }
                isInHand = isInHand || operation.leasedBy != nil
                let time = held[operation.id].map { max($0, due) } ?? due
                if first.map({ time < $0 }) ?? true { (first, account) = (time, attempt.route.pspAccount) }
            }
        }
        at = first
        share = account.map { "\(order.marketplace)/\($0)" } ?? order.marketplace
        self.isInHand = isInHand
        isOpen = first != nil || isHolding
    }
}

/// The orders that are not at rest, each with when it wants to be looked at.
package enum WorkTable {
    /// What is stored of when an order wants to be looked at.
    package struct Stored: Hashable, Sendable {
        /// When; it may be earlier than needed, never later.
        let at: Timestamp?
        /// Whether an instance had any of its operations in hand.
        let isInHand: Bool
        /// How often in a row the whole order failed.
        let failures: Int64
        /// How many of its operations failed.
        let failingOperations: Int64

        init(_ row: Row) throws(SQLError) {
            at = try row.optionalTime("at")
            isInHand = try row.integer("in_hand") == 1
            failures = try row.integer("failures")
            failingOperations = try row.integer("failing")
        }
    }

    static func query(of order: OrderID) -> SQL {
        """
        SELECT at, in_hand, failures, (SELECT COUNT(*) FROM operation_failure AS f WHERE f.order_id = w.order_id) AS failing
        FROM work AS w WHERE order_id = \(order)
        """
    }

    static func insert(_ schedule: OrderSchedule, of order: Order, in session: any Session) throws(SQLError) {
        guard schedule.isOpen else { return }
        try session.run(
            """
            INSERT INTO work (order_id, marketplace, share, at, in_hand)
            VALUES (\(order.id), \(order.marketplace), \(schedule.share), \(schedule.at), \(schedule.isInHand ? 1 : 0))
            """
        )
    }

    /// Writes the schedule of an order behind a step at `now`, if what is stored will not do.
    ///
    /// What is stored and not yet due may stay though the order wants to be looked at later: whoever looks too early puts
    /// it right. So a step that goes well writes here once, when the order comes to rest. Where it is no step but the failure
    /// of operations, the failure of the whole order stays.
    static func write(
        _ schedule: OrderSchedule,
        of order: Order,
        over stored: Stored?,
        at now: Timestamp,
        isStep: Bool = true,
        in session: any Session
    ) throws(SQLError) {
        guard let stored else { return try insert(schedule, of: order, in: session) }
        guard schedule.isOpen else {
            return try session.run("DELETE FROM work WHERE order_id = \(order.id)")
        }
        guard !stored.serves(schedule, at: now) else { return }
        // What is due and was not taken goes behind what others have that is due.
        let held = schedule.at.flatMap { $0 <= now ? now : nil }
        let hold: SQL = stored.failures > 0 && !isStep ? "" : ", held_until = \(held)"
        let failure: SQL = isStep ? ", failures = 0, failing_since = NULL, failure = NULL, failure_detail = NULL" : ""
        try session.run(
            """
            UPDATE work SET share = \(schedule.share), at = \(schedule.at),
                in_hand = \(schedule.isInHand ? 1 : 0)\(hold)\(failure)
            WHERE order_id = \(order.id)
            """
        )
    }

    /// Puts the schedule of an order right that was looked at and had nothing due, unless a step did so meanwhile.
    ///
    /// - Parameters:
    ///   - schedule: the schedule.
    ///   - order: the order.
    ///   - picked: what was stored when the order was picked.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func correct(
        _ schedule: OrderSchedule,
        of order: Order,
        over picked: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard schedule.isOpen else {
            return try session.run("DELETE FROM work WHERE order_id = \(order.id) AND at = \(picked)")
        }
        try session.run(
            """
            UPDATE work SET share = \(schedule.share), at = \(schedule.at), in_hand = \(schedule.isInHand ? 1 : 0),
                held_until = NULL
            WHERE order_id = \(order.id) AND at = \(picked)
            """
        )
    }

    /// Has every order looked at that somebody has in hand: one of them may be dead.
    static func lookAtAllInHand(at now: Timestamp, in session: any Session) throws(SQLError) {
        try session.run("UPDATE work SET at = \(now) WHERE in_hand = 1 AND at > \(now) AND failures = 0")
    }

    /// Makes every order due that somebody had in hand, and answers how many that were.
    ///
    /// For the one owner of an embedded database, who knows that nobody has anything in hand. It reads no order, so that
    /// none which cannot be read keeps it from the others, and thousands keep nobody from serving; what has failed goes on
    /// waiting.
    package static func releaseAll(at now: Timestamp, in session: any Session) throws(SQLError) -> Int {
        try session.run("UPDATE work SET held_until = NULL WHERE held_until IS NOT NULL AND failures = 0")
        return try session.change("UPDATE work SET at = \(now) WHERE in_hand = 1 AND at > \(now)")
    }
}

extension WorkTable.Stored {
    /// Whether what is stored leads to the order in time, and says what it has to.
    fileprivate func serves(_ schedule: OrderSchedule, at now: Timestamp) -> Bool {
        guard failures == 0, failingOperations == 0, isInHand || !schedule.isInHand else { return false }
        guard let at else { return schedule.at == nil }
        guard let wanted = schedule.at else { return false }
        return at > now && at <= wanted
    }
}
