import Domain

/// What must not depend on the order in which things became known.
struct Ending: Hashable, CustomStringConvertible {
    private let parts: [String: String]

    /// The ending of a story, without the attention items of some reasons.
    init(_ story: Story, without leftOut: Set<Attention.Reason> = []) {
        let order = story.order
        var parts = ["decision": "\(order.decision.state)", "status": "\(order.status)"]
        for (index, payment) in order.payments.enumerated() {
            parts["state \(index)"] = "\(payment.state)"
            parts["amounts \(index)"] =
                "\(payment.authorized) \(payment.captured) \(payment.refunded) \(payment.held) "
                + "\(payment.chargedBack) \(payment.refundable)"
            parts["lines \(index)"] = payment.allocation.map { "\($0.captured)/\($0.refunded)" }.joined(separator: " ")
            parts["disputes \(index)"] = payment.disputes.map { dispute in
                "\(dispute.reference) \(dispute.state) \(dispute.amount) \(dispute.reason ?? "-") "
                    + "\(dispute.respondBy?.description ?? "-")"
            }.sorted().joined(separator: ", ")
        }
        parts["balances"] = story.books.balances.map { "\($0.key.path) \($0.value)" }.sorted().joined(separator: ", ")
        parts["refunds"] = order.refunds.map { "\(order.status(of: $0))" }.joined(separator: " ")
        let kinds = Dictionary(
            uniqueKeysWithValues: order.payments.flatMap(\.attempts).flatMap(\.operations).map { ($0.id, $0.kind) }
        )
        parts["attention"] = order.attention.filter { !leftOut.contains($0.reason) }.map { item in
            let kind = kinds[item.operation].map { "\($0)" } ?? "nothing"
            return "\(item.reason) of \(kind): \(item.amountAtRisk)"
        }.sorted().joined(separator: ", ")
        self.parts = parts
    }

    var description: String { parts.map { "\($0.key): \($0.value)" }.sorted().joined(separator: "\n") }

    /// What differs from another ending.
    func differences(from other: Ending) -> String {
        parts.filter { other.parts[$0.key] != $0.value }
            .map { "\($0.key) is [\($0.value)], was [\(other.parts[$0.key] ?? "")]" }.sorted().joined(separator: "\n")
    }
}
