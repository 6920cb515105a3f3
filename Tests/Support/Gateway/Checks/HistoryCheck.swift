import Domain
import SQL
import Storage

/// Events are numbered without gaps and tell where the order stands; facts and operations agree.
enum HistoryCheck {
    static func complaints(about order: Order, in session: any Session) throws -> [String] {
        let events = try OrderSteps.events(of: order.id, after: 0, limit: 10_000, in: session)
        var complaints: [String] = []
        if events.map(\.sequence) != Array(1...max(1, order.eventSequence)) {
            complaints.append("events are numbered \(events.map(\.sequence)), the last is \(order.eventSequence)")
        }
        let changes = events.filter { $0.type == "order.status_changed" }
        let told = changes.last?.details.first { $0.name == "to" }?.value ?? .text(OrderStatus.processing.rawValue)
        if told != .text(order.status.rawValue) { complaints.append("the last status told is \(told)") }
        let decisions = events.filter { ["order.accepted", "order.refused", "order.canceled"].contains($0.type) }
        if order.decision.state != .pending, order.decision.state != .cleared,
            decisions.last?.type != "order." + order.decision.state.rawValue
        {
            complaints.append("decided \(order.decision.state), told \(decisions.map(\.type))")
        }
        return complaints + (try facts(of: order, in: session))
    }

    private static func facts(of order: Order, in session: any Session) throws -> [String] {
        let heard = try OrderSteps.all(of: order.id, in: session).flatMap(\.facts)
        let byOperation = Dictionary(grouping: heard, by: \.operation)
        let operations = order.payments.flatMap(\.attempts).flatMap(\.operations)
        return operations.compactMap { operation in
            let kinds = Set((byOperation[operation.id] ?? []).map(\.kind))
            let isPromised =
                switch operation.state {
                case .succeeded: !kinds.isDisjoint(with: ["succeeded", "rejected"])
                case .declined: kinds.contains("declined") || operation.kind == .authorize
                case .rejected: kinds.contains("rejected")
                case .notSent: operation.leases == 0 || !kinds.isDisjoint(with: ["not_sent", "rejected"])
                case .reversed: kinds.contains("reversed")
                case .open, .unknown, .pending, .actionRequired: true
                }
            if !isPromised { return "\(operation.kind) is \(operation.state.name) on the facts \(kinds.sorted())" }
            if kinds.contains("succeeded"), !kinds.contains("reversed"), operation.state != .succeeded {
                return "\(operation.kind) succeeded, but is \(operation.state.name)"
            }
            return nil
        }
    }
}
