package import Domain
package import SQL

/// What moved money at a PSP, in a row each with all that reconciliation and statements ask about it.
///
/// The rows follow from the order's operations; one is written when the operation first moved something, and again when
/// anything of it changes.
package enum EffectRows {
    /// The merchants' accounts at a PSP account where anything was captured or given back from `since` on.
    ///
    /// - Throws: `SQLError`.
    package static func merchantAccounts(
        at account: PSPAccount,
        since: Timestamp,
        in session: any Session
    ) throws(SQLError) -> [String] {
        let rows = try session.rows(
            """
            SELECT DISTINCT merchant_account FROM effect WHERE marketplace = \(account.marketplace)
                AND psp_account = \(account.id) AND posted_at >= \(since) AND merchant_account IS NOT NULL
            """
        )
        return try rows.map { row throws(SQLError) in try row.text("merchant_account") }
    }

    /// Writes the effects of an order that are new since `previous`, or have changed.
    ///
    /// The record is what the step adds, whose facts say when effects were posted.
    static func write(
        _ order: Order,
        since previous: Order?,
        _ record: OrderMachine.Record,
        in session: any Session
    ) throws(SQLError) {
        let before = previous.map(all) ?? [:]
        let effects = all(of: order).sorted { $0.key < $1.key }.filter { before[$0.key] != $0.value }.map(\.value)
        let added = effects.filter { before[$0.operation.id] == nil }
        for effect in effects where before[effect.operation.id] != nil { try update(effect, in: session) }
        guard !added.isEmpty else { return }
        // The order's row is locked, so that nobody else adds one of them: PostgreSQL logs more where it has to look.
        let rows = added.map { row($0, of: order, postedAt: postedAt($0.operation, record)) }
        try session.run(
            """
            INSERT INTO effect (operation_id, order_id, payment_id, attempt_id, marketplace, merchant, psp, psp_account,
                merchant_account, settles_to, kind, state, currency, amount, commission, refund_id, payment_reference,
                reference, is_voided, posted_at)
            VALUES \(rows: rows)
            """
        )
    }

    private static func update(_ effect: Effect, in session: any Session) throws(SQLError) {
        let operation = effect.operation
        let changed = try session.change(
            """
            UPDATE effect SET state = \(state(of: operation)), amount = \(operation.doneAmount),
                reference = \(operation.reference), payment_reference = \(effect.paymentReference),
                commission = \(effect.commission), is_voided = \(effect.isVoided ? 1 : 0)
            WHERE operation_id = \(operation.id)
            """
        )
        // Without its row nothing would ever be expected of it in a report.
        guard changed == 1 else { throw .unexpectedValue(column: "effect.operation_id") }
    }

    /// An operation that moved money, and what of its attempt and payment is told with it.
    private struct Effect: Hashable {
        let operation: Operation
        /// The attempt under whose name the PSP knows it, by which its report's lines do.
        let attempt: AttemptID
        let route: RouteSnapshot
        let payment: PaymentID
        let merchant: MerchantID
        let paymentReference: String?
        let commission: Int64?
        let isVoided: Bool

        static func == (one: Effect, other: Effect) -> Bool {
            one.operation.state == other.operation.state && one.operation.doneAmount == other.operation.doneAmount
                && one.operation.reference == other.operation.reference
                && one.paymentReference == other.paymentReference && one.commission == other.commission
                && one.isVoided == other.isVoided
        }

        func hash(into hasher: inout Hasher) { hasher.combine(operation.id) }
    }

    /// The effects of an order's operations, those that turned out to be none among them.
    private static func all(of order: Order) -> [OperationID: Effect] {
        var effects: [OperationID: Effect] = [:]
        for payment in order.payments {
            for attempt in payment.attempts {
                let isVoided = attempt.operations.contains { $0.kind == .reverse && $0.state == .succeeded }
                for operation in attempt.operations where operation.movesMoney {
                    effects[operation.id] = Effect(
                        operation: operation,
                        attempt: payment.nameAtPSP(of: attempt),
                        route: attempt.route,
                        payment: payment.id,
                        merchant: payment.merchant,
                        paymentReference: attempt.pspReference,
                        commission: commission(told: operation, attempt, payment),
                        isVoided: isVoided && operation.kind != .refund
                    )
                }
            }
        }
        return effects
    }

    /// The commission that the PSP was told to keep, if it was, as far as it keeps it of what was captured.
    ///
    /// A sale in one call is told the commission with its authorization; its capture is the PSP's own operation.
    private static func commission(told operation: Operation, _ attempt: Attempt, _ payment: Payment) -> Int64? {
        guard attempt.route.settlesTo == .merchant, attempt.route.commissionBy == .psp else { return nil }
        guard operation.kind == .capture, let kept = payment.commissionsKept[operation.id] else {
            return operation.commission
        }
        return operation.origin == .psp && operation.reference == nil && kept == 0 ? nil : kept
    }

    /// What a row says of its operation; `withdrawn` of one that turned out to be none of its own.
    private static func state(of operation: Operation) -> String {
        operation.isWithdrawn ? "withdrawn" : operation.state.name
    }

    /// When an operation that moved money was posted: in the step that hears of it.
    private static func postedAt(_ operation: Operation, _ record: OrderMachine.Record) -> Timestamp {
        record.facts.last { $0.operation == operation.id }?.at ?? operation.repliedAt ?? operation.createdAt
    }

    private static func row(_ effect: Effect, of order: Order, postedAt: Timestamp) -> [SQLValue] {
        let (operation, route) = (effect.operation, effect.route)
        return [
            operation.id.sqlValue, order.id.sqlValue, effect.payment.sqlValue, effect.attempt.sqlValue,
            order.marketplace.sqlValue, effect.merchant.sqlValue, route.psp.sqlValue, route.pspAccount.sqlValue,
            route.merchantAccount.sqlValue, route.settlesTo.rawValue.sqlValue, operation.kind.rawValue.sqlValue,
            state(of: operation).sqlValue, order.amount.currency.code.sqlValue, operation.doneAmount.sqlValue,
            effect.commission.sqlValue, operation.refund.sqlValue, effect.paymentReference.sqlValue,
            operation.reference.sqlValue, (effect.isVoided ? 1 : 0).sqlValue, postedAt.sqlValue,
        ]
    }
}

extension Operation {
    /// Whether it took money or gave some back, or was taken for one that did.
    fileprivate var movesMoney: Bool {
        guard kind == .capture || givesBack else { return false }
        return switch state {
        case .succeeded, .reversed: true
        case .open, .pending, .unknown, .notSent, .actionRequired, .declined, .rejected: doneAmount > 0
        }
    }
}

/// What PSPs call payments, captures and refunds, by which their orders are found.
///
/// Our own names lead to an order by themselves.
package enum PSPNames {
    /// How many orders of one name are looked at; a name is one order's but for PSPs that give it twice.
    private static let limit = 100

    /// Whether a column has the identifier of an order with anything of a name at a PSP.
    static func isNamed(_ column: SQL, _ name: String, of marketplace: String?) -> SQL {
        let owner: SQL = marketplace.map { "AND n.marketplace = \($0)" } ?? ""
        return "\(column) IN (SELECT n.order_id FROM psp_name AS n WHERE n.name = \(name) \(owner))"
    }

    /// The orders that can be read and have anything of a name at a PSP: of a marketplace, or of all, and at an account, or
    /// at any.
    static func orders(
        named name: String,
        of marketplace: String?,
        at account: String? = nil,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        let owner: SQL = marketplace.map { "AND marketplace = \($0)" } ?? ""
        let place: SQL = account.map { "AND psp_account = \($0)" } ?? ""
        let rows = try session.rows(
            """
            SELECT DISTINCT order_id FROM psp_name WHERE name = \(name) \(owner) \(place) ORDER BY order_id LIMIT \(limit)
            """
        )
        var ids: [OrderID] = []
        for row in rows { ids.append(try row.identifier("order_id")) }
        return try OrderReader.loadReadable(ids, in: session).orders
    }
}

/// The rows of what PSPs call the parts of an order.
enum NameRows {
    static func insert(_ order: Order, since previous: Order?, in session: any Session) throws(SQLError) {
        let added = names(of: order).subtracting(previous.map(names) ?? [])
        guard !added.isEmpty else { return }
        let rows = added.sorted { ($0.text, $0.account) < ($1.text, $1.account) }.map { name in
            [name.text.sqlValue, order.marketplace.sqlValue, name.account.sqlValue, order.id.sqlValue]
        }
        try session.run("INSERT INTO psp_name (name, marketplace, psp_account, order_id) VALUES \(rows: rows)")
    }

    /// What something is called at a PSP account.
    private struct Name: Hashable {
        let text: String
        let account: String
    }

    private static func names(of order: Order) -> Set<Name> {
        var names: Set<Name> = []
        for attempt in order.payments.lazy.flatMap(\.attempts) {
            let account = attempt.route.pspAccount
            if let text = attempt.pspReference { names.insert(Name(text: text, account: account)) }
            for operation in attempt.operations {
                if let text = operation.reference { names.insert(Name(text: text, account: account)) }
            }
        }
        return names
    }
}
