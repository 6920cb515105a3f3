import Domain
import Storage
import StrictJSON

/// Everything about one order, for a terminal.
struct OrderPage {
    private let document: OrderDocument
    private let marketplace: String?

    /// A page about an order, of which the marketplace is said if it is known.
    init(_ document: OrderDocument, of marketplace: String? = nil) {
        self.document = document
        self.marketplace = marketplace
    }

    /// Facts about the order, then its payments, its operations and what needs a person.
    var text: String {
        let sections = [
            ("Payments", Table(paymentsOf: document)), ("Operations", Table(operationsOf: document)),
            ("Attention", Table(attentionOf: document)),
        ]
        let tables = sections.filter { !$0.1.rows.isEmpty }.map { title, table in "\(title)\n\(table.text)" }
        return ([facts] + tables).joined(separator: "\n\n")
    }

    private var facts: String {
        let order = document.order
        let amount = { (name: String) in Table.Cell.amount(of: order[name], in: order["currency"]).shown }
        let reason = order["decision_reason"]?.stringValue.map { " (\($0))" } ?? ""
        let facts: [(String, String?)] = [
            ("order", order.text("id")),
            ("marketplace", marketplace),
            ("reference", order["reference"]?.stringValue?.harmless),
            ("status", order.text("status")),
            (
                "decision",
                order.text("decision") + reason + (order["decided_at"]?.stringValue.map { " at \($0)" } ?? "")
            ),
            ("policy", "\(Self.policy(of: order)), capture \(order.text("capture"))"),
            ("amount", "\(amount("amount")) \(order.text("currency"))"),
            ("authorized", amount("authorized_amount")),
            ("captured", amount("captured_amount")),
            ("refunded", amount("refunded_amount")),
            ("capture before", order["capture_before"]?.stringValue),
            ("placed", order.text("created_at")),
        ]
        let present = facts.compactMap { name, value in value.map { (name, $0) } }
        let width = present.map(\.0.count).max() ?? 0
        return present.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }

    private static func policy(of order: JSON) -> String {
        let (policy, currency) = (order["policy"] ?? .null, order["currency"])
        let name = policy.text("type")
        let names = policy.list("external_identifiers").compactMap(\.stringValue)
        if !names.isEmpty { return "\(name): \(names.joined(separator: ", ").harmless)" }
        guard let least = policy["amount"] else { return name }
        return "\(name): \(Table.Cell.amount(of: least, in: currency).shown) \(order.text("currency"))"
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
    init(paymentsOf document: OrderDocument) {
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
        for payment in document.order.list("payments") {
            let currency = payment["currency"]
            let card = [payment["network"], payment["last4"]].compactMap { $0?.stringValue }.joined(separator: " ")
            let authorization = document.operations.last { operation in
                operation["payment"] == payment["id"] && operation["kind"] == "authorize"
            }
            add(
                .text(of: payment["id"]),
                .text(of: payment["external_identifier"]),
                .text(of: payment["psp_account"]),
                .text(of: payment["psp_reference"]),
                .amount(of: payment["amount"], in: currency),
                .text(of: payment["status"]),
                .amount(of: payment["authorized_amount"], in: currency),
                .amount(of: payment["captured_amount"], in: currency),
                .amount(of: payment["refunded_amount"], in: currency),
                .optional(card.isEmpty ? nil : card),
                .text(of: authorization?["reason"])
            )
        }
    }

    /// A row for each operation of an order, in the order of asking within each payment.
    init(operationsOf document: OrderDocument) {
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
        for operation in document.operations {
            let currency = operation["currency"]
            add(
                .text(of: operation["id"]),
                .text(of: operation["external_identifier"]),
                .text(of: operation["psp_account"]),
                .text(of: operation["kind"]),
                .text(of: operation["origin"]),
                .amount(of: operation["amount"], in: currency),
                .text(of: operation["state"]),
                .amount(of: operation["done_amount"], in: currency),
                .integer(of: operation["tries"]),
                .moment(of: operation["created_at"]),
                .moment(of: operation["replied_at"]),
                .moment(of: operation["next_at"]),
                .text(of: operation["reason"])
            )
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
