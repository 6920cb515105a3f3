import Synchronization

/// Payments that have been created and not confirmed.
final class StripeDrafts: Sendable {
    /// A payment before its confirmation.
    struct Draft: Sendable {
        /// Stripe's name for it, which it keeps.
        let id: String
        /// The account it belongs to.
        let account: String
        /// The parameters it was created with.
        let form: StripeForm
        /// When, in milliseconds since 1970.
        let createdAt = SimulatorServer.systemClock()
        /// Whether it was canceled.
        var isCanceled = false
    }

    /// How many are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct State {
        var drafts: [String: Draft] = [:]
        var order: [String] = []
        var keys: [Requester: String] = [:]
    }

    private let state = Mutex(State())

    /// Keeps a new payment, or finds the one that the same idempotency key made.
    ///
    /// - Throws: ``Refusal/keyMismatch`` if the key made another one.
    func create(_ form: StripeForm, by requester: Requester) throws(Refusal) -> Draft {
        try state.withLock { state throws(Refusal) in
            if requester.key != nil, let id = state.keys[requester], let draft = state.drafts[id] {
                guard draft.form == form else { throw .keyMismatch }
                return draft
            }
            let id = "pi_" + String(UInt64.random(in: .min ... .max), radix: 36)
            let draft = Draft(id: id, account: requester.account, form: form)
            state.drafts[id] = draft
            state.order.append(id)
            if requester.key != nil { state.keys[requester] = id }
            if state.order.count > Self.limit { state.drafts[state.order.removeFirst()] = nil }
            return draft
        }
    }

    /// The account's payment of that name.
    func draft(_ id: String, of account: String) -> Draft? {
        state.withLock { $0.drafts[id].flatMap { $0.account == account ? $0 : nil } }
    }

    /// Cancels the account's payment of that name; nil if there is none.
    func cancel(_ id: String, of account: String) -> Draft? {
        state.withLock { state in
            guard state.drafts[id]?.account == account else { return nil }
            state.drafts[id]?.isCanceled = true
            return state.drafts[id]
        }
    }
}
