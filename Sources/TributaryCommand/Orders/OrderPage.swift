import Domain
import Storage

/// Everything about one order, for a terminal.
struct OrderPage {
    private let order: Order

    /// A page about an order.
    init(_ order: Order) { self.order = order }

    /// Facts about the order, then its payments, its operations and what needs a person.
    var text: String {
        let sections = [
            ("Payments", Table(paymentsOf: order)), ("Operations", Table(operationsOf: order)),
            ("Attention", Table(attentionOf: [order])),
        ]
        let tables = sections.filter { !$0.1.rows.isEmpty }.map { title, table in "\(title)\n\(table.text)" }
        return ([facts] + tables).joined(separator: "\n\n")
    }

    private var facts: String {
        let amount = { (value: Int64) in Table.Cell.amount(value, order.amount.currency).shown }
        let decision = order.decision
        let reason = decision.reason.map { " (\($0.rawValue))" } ?? ""
        let facts: [(String, String?)] = [
            ("order", order.id.text),
            ("marketplace", order.marketplace),
            ("reference", order.reference?.harmless),
            ("status", order.status.rawValue),
            ("decision", decision.state.rawValue + reason + (decision.at.map { " at \($0)" } ?? "")),
            ("policy", "\(order.terms.policy.words(order.amount.currency)), capture \(order.terms.capture.rawValue)"),
            ("amount", "\(amount(order.amount.minorUnits)) \(order.amount.currency.code)"),
            ("authorized", amount(order.authorized)),
            ("captured", amount(order.captured)),
            ("refunded", amount(order.refunded)),
            ("capture before", order.captureBefore?.description),
            ("placed", order.createdAt.description),
        ]
        let present = facts.compactMap { name, value in value.map { (name, $0) } }
        let width = present.map(\.0.count).max() ?? 0
        return present.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }
}

extension Policy {
    fileprivate func words(_ currency: Currency) -> String {
        switch self {
        case .allOrNothing, .bestEffort: name
        case .required(let names): "\(name): \(names.sorted().joined(separator: ", ").harmless)"
        case .minimum(let amount): "\(name): \(currency.decimal(amount)) \(currency.code)"
        }
    }
}

extension Table {
    /// A row for each order.
    init(orders: [Order]) {
        self.init(
            "id",
            "reference",
            "status",
            "decision",
            "currency",
            "amount",
            "authorized",
            "captured",
            "refunded",
            "merchants",
            "attention",
            "created_at"
        )
        for order in orders {
            let currency = order.amount.currency
            add(
                .text(order.id.text),
                .optional(order.reference),
                .text(order.status.rawValue),
                .text(order.decision.state.rawValue),
                .text(currency.code),
                .amount(order.amount.minorUnits, currency),
                .amount(order.authorized, currency),
                .amount(order.captured, currency),
                .amount(order.refunded, currency),
                .integer(Int64(order.payments.count)),
                .integer(Int64(order.attention.count)),
                .moment(order.createdAt)
            )
        }
    }
}

extension Table {
    /// A row for each payment of an order.
    init(paymentsOf order: Order) {
        self.init(
            "id",
            "merchant",
            "psp_account",
            "psp_reference",
            "amount",
            "status",
            "authorized",
            "captured",
            "refunded",
            "card",
            "reason"
        )
        let currency = order.amount.currency
        for payment in order.payments {
            let attempt = payment.attempt
            let card = [attempt.network, attempt.last4].compactMap(\.self).joined(separator: " ")
            add(
                .text(payment.id.text),
                .text(payment.externalIdentifier),
                .text(attempt.route.pspAccount),
                .optional(attempt.pspReference),
                .amount(payment.amount, currency),
                .text(payment.state.rawValue),
                .amount(payment.authorized, currency),
                .amount(payment.captured, currency),
                .amount(payment.refunded, currency),
                .optional(card.isEmpty ? nil : card),
                .optional(attempt.authorization.state.reason)
            )
        }
    }

    /// A row for each operation of an order, in the order of asking within each payment.
    init(operationsOf order: Order) {
        self.init(
            "operation",
            "merchant",
            "psp_account",
            "kind",
            "origin",
            "amount",
            "state",
            "done",
            "tries",
            "created_at",
            "replied_at",
            "next_at",
            "reason"
        )
        let currency = order.amount.currency
        for payment in order.payments {
            for attempt in payment.attempts {
                for operation in attempt.operations {
                    add(
                        .text(operation.id.text),
                        .text(payment.externalIdentifier),
                        .text(attempt.route.pspAccount),
                        .text(operation.kind.rawValue),
                        .text(operation.origin.rawValue),
                        .amount(operation.amount, currency),
                        .text(operation.state.name),
                        .amount(operation.doneAmount, currency),
                        .integer(operation.leases),
                        .moment(operation.createdAt),
                        .moment(operation.repliedAt),
                        .moment(operation.dueAt),
                        .optional(operation.state.reason)
                    )
                }
            }
        }
    }
}

extension OperationState {
    /// Why it stands where it stands, in the PSP's words or ours; nil where the state says it all.
    fileprivate var reason: String? {
        switch self {
        case .open, .pending, .succeeded: nil
        case .unknown(let reason), .notSent(let reason): reason
        case .actionRequired(let action): action.kind.rawValue
        case .declined(let decline): "\(decline.code): \(decline.message)"
        case .rejected(let rejection), .reversed(let rejection): "\(rejection.code): \(rejection.message)"
        }
    }
}

extension Table {
    /// A row for each order whose steps fail, each kind of trouble once.
    mutating func add(failing items: [StepFailures.Item]) {
        for item in items {
            let currency = item.currency.flatMap { Currency(code: $0) }
            let amount = item.amount.flatMap { amount in currency.map { Cell.amount(amount, $0) } }
            let next = item.retryAt.map { " It is tried again by itself at \($0)." } ?? ""
            let count = item.operations > 1 ? "\(item.operations) operations, \(item.failures) times: " : ""
            addCells([
                "order": .text(item.order),
                "reference": .optional(item.reference),
                "psp_account": .optional(item.pspAccount),
                "reason": .text(item.kind),
                "currency": .optional(currency?.code),
                "amount_at_risk": amount ?? .absent,
                "since": .moment(item.since),
                "operation": .optional(item.operation),
                "what_to_do": .text("\(count)\(item.detail) \(Self.advice(on: item.kind, of: item.pspAccount))\(next)"),
            ])
        }
    }

    /// A row for each order that a person should look at and that cannot be read; those in `told` are listed already.
    mutating func add(unreadable orders: [OrderID: StepFailure], told: [StepFailures.Item]) {
        let known = Set(told.map(\.order))
        for (order, failure) in orders.sorted(by: { $0.key < $1.key }) where !known.contains(order.text) {
            let kind = failure.kind.rawValue
            addCells([
                "order": .text(order.text),
                "reason": .text(kind),
                "what_to_do": .text("\(failure.detail) \(Self.advice(on: kind, of: nil))"),
            ])
        }
    }

    private mutating func addCells(_ cells: [String: Cell]) { add(columns.map { cells[$0] ?? .absent }) }

    /// What a person can do about a kind of trouble.
    private static func advice(on kind: String, of account: String?) -> String {
        switch StepFailure.Kind(rawValue: kind) {
        case .unreadable:
            "Put the row right in the database, from a backup if need be; see the PSP for what became of the money."
        case .accountUnusable:
            "See doctor; mend the account's settings or secrets with apply, and start serve again if secrets changed."
        case .ruleBroken, .notTaken, .other, nil:
            "See orders show and orders events, and ledger verify; settle it with orders resolve, or report it."
        }
    }
}
