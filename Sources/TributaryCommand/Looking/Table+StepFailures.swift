import Domain
import Storage

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
