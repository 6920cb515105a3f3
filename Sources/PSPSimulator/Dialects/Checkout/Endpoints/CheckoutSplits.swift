import Synchronization

/// Which payments were shared among sub-entities: a part of such a payment is captured or refunded with its shares.
///
/// Forgotten when the simulator stops; the rule is then not checked any more.
final class CheckoutSplits: Sendable {
    /// How many payments are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct State {
        var totals: [String: Int64] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Notes a payment that was shared.
    func note(_ payment: String, total: Int64) {
        state.withLock { state in
            guard state.totals.updateValue(total, forKey: payment) == nil else { return }
            state.order.append(payment)
            if state.order.count > Self.limit { state.totals[state.order.removeFirst()] = nil }
        }
    }

    /// Checks that a part of a payment comes with its shares.
    ///
    /// - Throws: ``Refusal`` if it does not.
    func check(_ payment: String, amount: Int64?, _ allocations: CheckoutAllocations?) throws(Refusal) {
        guard let amount, allocations == nil, let total = state.withLock({ $0.totals[payment] }), amount < total else {
            return
        }
        throw Refusal(422, "amount_allocations_required", "A part of a payment that was shared needs its shares.")
    }
}
