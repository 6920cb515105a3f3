import Domain

/// The status of an order, as the table of the design has it: rows in order, the first match wins.
enum StatusTable {
    private struct Row: Sendable {
        let decisions: Set<Decision.State>
        let status: OrderStatus
        let matches: @Sendable ([OrderStatus.Input]) -> Bool
    }

    private static func isAtRest(_ payment: OrderStatus.Input) -> Bool {
        payment.held == 0 && payment.captured - payment.refunded == 0 && !payment.isUnresolved
    }

    private static func isCapturable(_ payment: OrderStatus.Input) -> Bool {
        [.authorized, .capturing].contains(payment.state) || (payment.state == .captured && payment.held > 0)
    }

    private static func captured(_ payments: [OrderStatus.Input]) -> Int64 { payments.map(\.captured).reduce(0, +) }

    private static func refunded(_ payments: [OrderStatus.Input]) -> Int64 { payments.map(\.refunded).reduce(0, +) }

    private static let rows: [Row] = [
        Row(decisions: [.pending, .cleared], status: .requiresAction) { $0.contains { $0.state == .requiresAction } },
        Row(decisions: [.pending, .cleared], status: .processing) { _ in true },
        Row(decisions: [.refused, .canceled], status: .compensating) { !$0.allSatisfy(isAtRest) },
        Row(decisions: [.refused], status: .failed) { _ in true },
        Row(decisions: [.canceled], status: .canceled) { _ in true },
        Row(decisions: [.accepted], status: .refunded) { captured($0) > 0 && captured($0) == refunded($0) },
        Row(decisions: [.accepted], status: .partiallyRefunded) { refunded($0) > 0 },
        Row(decisions: [.accepted], status: .authorized) { captured($0) == 0 },
        Row(decisions: [.accepted], status: .partiallyCaptured) { $0.contains(where: isCapturable) },
        Row(decisions: [.accepted], status: .paid) { $0.allSatisfy { $0.captured >= $0.amount } },
        Row(decisions: [.accepted], status: .partiallyPaid) { _ in true },
    ]

    static func status(_ decision: Decision.State, _ payments: [OrderStatus.Input]) -> OrderStatus? {
        rows.first { $0.decisions.contains(decision) && $0.matches(payments) }?.status
    }

    /// A payment that an accepted order does not count on, or a second authorization, sold nothing, whatever was taken and
    /// given back, and nobody waits for a step of one that was called off.
    static func status(of order: Order) -> OrderStatus? {
        let inputs = order.payments.map { payment in
            let isAccepted = order.decision.state == .accepted
            var input = OrderStatus.Input(isAccepted ? payment.sale : payment)
            let isCalledOff = payment.canceledAt != nil
            let isCounted = order.decision.countsOn.contains(payment.id) && !isCalledOff
            if isAccepted, !isCounted { input = .leftOut(payment) }
            if isCalledOff, input.state == .requiresAction { input.state = .voiding }
            if !isAccepted { input.refunded = min(input.captured, input.refunded + payment.chargedBack) }
            return input
        }
        return status(order.decision.state, inputs)
    }
}
