import Domain

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
            ("policy", "\(order.terms.policy.words), capture \(order.terms.capture.rawValue)"),
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
    fileprivate var words: String {
        switch self {
        case .allOrNothing, .bestEffort: name
        case .required(let names): "\(name): \(names.sorted().joined(separator: ", ").harmless)"
        case .minimum(let amount): "\(name): \(amount) minor units"
        }
    }
}
