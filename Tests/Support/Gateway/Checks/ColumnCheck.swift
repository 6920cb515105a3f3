import Domain
import SQL
import Storage

/// Stored columns are caches: each must equal what the operations say.
enum ColumnCheck {
    static func complaints(about order: Order, rules: OrderTimings, in session: any Session) throws -> [String] {
        guard let row = try session.rows("SELECT * FROM orders WHERE id = \(order.id)").first else {
            return ["is gone"]
        }
        let machine = OrderMachine(
            order,
            at: order.createdAt,
            by: "check",
            rules: rules,
            ids: IdentifierSource()
        )
        let stored = try row.optionalText("live_reference")
        let live = order.status.freesReference ? nil : stored == nil ? nil : order.reference
        var complaints = [
            difference("status", try row.text("status"), order.status.rawValue),
            difference("payable", try row.integer("payable"), order.payable),
            difference("live_reference", stored, live),
        ].compactMap(\.self)
        complaints += try work(on: order, wakeAt: machine.wakeAt, in: session)
        for payment in order.payments { complaints += try self.complaints(about: payment, in: session) }
        complaints += try credentials(of: order, in: session)
        if order.isAtRest, !order.isAnswered { complaints.append("is at rest without an answer") }
        return complaints
    }

    /// What leads to an order does so in time, and is gone once the order is at rest.
    private static func work(on order: Order, wakeAt: Timestamp?, in session: any Session) throws -> [String] {
        let failing = try session.rows("SELECT operation_id FROM operation_failure WHERE order_id = \(order.id)")
        let row = try session.rows("SELECT at FROM work WHERE order_id = \(order.id)").first
        let schedule = OrderSchedule(of: order, wakeAt: wakeAt)
        guard let row else { return schedule.isOpen ? ["is open, and no work leads to it"] : [] }
        guard schedule.isOpen else { return ["is at rest, and work still leads to it"] }
        let at = try row.optionalInteger("at")
        guard failing.isEmpty, let wanted = schedule.at?.microseconds, at.map({ $0 > wanted }) ?? true else {
            return []
        }
        return ["is looked at \(at.map(String.init) ?? "never"), should be \(wanted)"]
    }

    private static func complaints(about payment: Payment, in session: any Session) throws -> [String] {
        guard let row = try session.rows("SELECT * FROM payment WHERE id = \(payment.id)").first else {
            return ["\(payment.id) is gone"]
        }
        return [
            difference("payment status", try row.text("status"), payment.state.rawValue),
            difference("payment authorized", try row.integer("authorized"), payment.authorized),
            difference("payment captured", try row.integer("captured"), payment.captured),
            difference("payment refunded", try row.integer("refunded"), min(payment.captured, payment.refunded)),
        ].compactMap(\.self)
    }

    /// A credential is kept only while its authorization may have to be sent again.
    private static func credentials(of order: Order, in session: any Session) throws -> [String] {
        try order.payments.flatMap(\.attempts).compactMap { attempt in
            let isNeeded =
                switch attempt.authorization.state {
                case .open, .unknown: true
                case .pending, .actionRequired, .notSent, .declined, .rejected, .succeeded, .reversed: false
                }
            let isThere = try CredentialTable.find(attempt.id, in: session) != nil
            return isThere && !isNeeded ? "the credential of \(attempt.id) is still there" : nil
        }
    }

    private static func difference<Value: Equatable>(_ name: String, _ stored: Value, _ folded: Value) -> String? {
        stored == folded ? nil : "\(name) is stored as \(stored), should be \(folded)"
    }
}
