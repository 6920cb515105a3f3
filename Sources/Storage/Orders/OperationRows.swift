import Domain
import SQL

/// The rows of an order's operations: the intent log and, by `due_at`, the queue of what wants doing.
enum OperationRows {
    /// An operation with its attempt and its position there.
    struct Placed {
        let operation: Operation
        let attempt: AttemptID
        let pspAccount: String
        let position: Int
    }

    static func all(of order: Order) -> [Placed] {
        order.payments.flatMap(\.attempts).flatMap { attempt in
            attempt.operations.enumerated().map {
                Placed(operation: $1, attempt: attempt.id, pspAccount: attempt.route.pspAccount, position: $0)
            }
        }
    }

    /// The record is what the step adds, whose facts say when effects were posted.
    static func insert(
        _ placed: [Placed],
        of order: Order,
        _ record: OrderMachine.Record,
        in session: any Session
    ) throws(SQLError) {
        guard !placed.isEmpty else { return }
        try session.run(
            """
            INSERT INTO operation (id, attempt_id, order_id, position, marketplace, kind, amount, origin, state, detail,
                done_amount, reference, created_at, replied_at, leases, doubts, due_at, leased_by, refund_id, is_final,
                commission, psp_account, posted_at, sendings, sent_at, sent_under_lease,
                answered_in_doubt, retries)
            VALUES \(rows: placed.map { row($0, of: order, postedAt($0.operation, record)) })
            """
        )
    }

    static func update(
        _ order: Order,
        from previous: Order,
        _ record: OrderMachine.Record,
        in session: any Session
    ) throws(SQLError) {
        let before = Dictionary(
            uniqueKeysWithValues: all(of: previous).map { ($0.operation.id, $0.operation) }
        )
        let placed = all(of: order)
        for operation in placed.map(\.operation) {
            guard let stored = before[operation.id], stored != operation else { continue }
            let isDone = operation.leasedBy == nil
            try session.run(
                """
                UPDATE operation SET state = \(operation.state.name), detail = \(operation.state.detail),
                    done_amount = \(operation.doneAmount), reference = \(operation.reference),
                    replied_at = \(operation.repliedAt), leases = \(operation.leases), doubts = \(operation.doubts),
                    due_at = \(operation.dueAt), leased_by = \(operation.leasedBy),
                    sendings = \(operation.sendings), sent_at = \(operation.sentAt),
                    sent_under_lease = \(operation.sentUnderLease),
                    answered_in_doubt = \(operation.isAnsweredInDoubt ? 1 : 0), retries = \(operation.retries),
                    is_final = \(operation.isFinal ? 1 : 0),
                    posted_at = COALESCE(posted_at,
                        CAST(\(postedAt(operation, record)) AS \(unsafeText: session.dialect.integerType))),
                    held_until = NULL\(isDone ? Self.unfailing : "")
                WHERE id = \(operation.id)
                """
            )
        }
        try insert(placed.filter { before[$0.operation.id] == nil }, of: order, record, in: session)
    }

    /// What a step that leaves an operation in nobody's hand clears: it has succeeded, whatever failed before.
    private static let unfailing: SQL = ", failures = 0, failing_since = NULL, failure = NULL, failure_detail = NULL"

    /// When an operation that moved money was posted; nil for one that did not, or not yet.
    ///
    /// It is posted in the step that hears of it.
    private static func postedAt(_ operation: Operation, _ record: OrderMachine.Record) -> Timestamp? {
        guard operation.kind == .capture || operation.givesBack, operation.doneAmount > 0 else { return nil }
        let heard = record.facts.last { $0.operation == operation.id }
        return heard?.at ?? operation.repliedAt ?? operation.createdAt
    }

    private static func row(_ placed: Placed, of order: Order, _ postedAt: Timestamp?) -> [SQLValue] {
        let operation = placed.operation
        return [
            operation.id.sqlValue, placed.attempt.sqlValue, order.id.sqlValue, placed.position.sqlValue,
            order.marketplace.sqlValue, operation.kind.rawValue.sqlValue, operation.amount.sqlValue,
            operation.origin.rawValue.sqlValue, operation.state.name.sqlValue, operation.state.detail.sqlValue,
            operation.doneAmount.sqlValue, operation.reference.sqlValue, operation.createdAt.sqlValue,
            operation.repliedAt.sqlValue, operation.leases.sqlValue, operation.doubts.sqlValue,
            operation.dueAt.sqlValue, operation.leasedBy.sqlValue, operation.refund.sqlValue,
            (operation.isFinal ? 1 : 0).sqlValue, operation.commission.sqlValue, placed.pspAccount.sqlValue,
            postedAt.sqlValue, operation.sendings.sqlValue, operation.sentAt.sqlValue,
            operation.sentUnderLease.sqlValue, (operation.isAnsweredInDoubt ? 1 : 0).sqlValue,
            operation.retries.sqlValue,
        ]
    }
}
