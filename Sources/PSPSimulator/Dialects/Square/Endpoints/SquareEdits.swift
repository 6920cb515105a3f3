import StrictJSON
import Synchronization

/// What payments were changed to before they are completed, which the books have no word for.
///
/// Kept in memory only.
final class SquareEdits: Sendable {
    /// The amounts of a payment that was changed.
    struct Edit: Hashable, Sendable {
        /// What is to be taken, with the tip, in minor units.
        var total: Int64
        /// The tip in it, in minor units.
        var tip: Int64?
        /// The developer's fee in it, in minor units.
        var fee: Int64?
        /// How often the payment was changed.
        var count: Int
        /// When, in milliseconds since 1970.
        var at: Int64
        /// Under which idempotency key.
        var key: String
    }

    /// How many results are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct Kept {
        var payment: String
        var request: JSON
        var reply: PSPReply
    }

    private struct State {
        var edits: [String: Edit] = [:]
        var results: [Requester: Kept] = [:]
        var order: [Requester] = []
    }

    private let state = Mutex(State())

    /// The latest change of a payment, by the books' identifier.
    func edit(of payment: String) -> Edit? { state.withLock { $0.edits[payment] } }

    /// The kept answer to a request; nil if it is new.
    ///
    /// - Throws: ``Refusal/keyMismatch`` if its key was used for another one.
    func reply(to request: JSON, of payment: String, by requester: Requester) throws(Refusal) -> PSPReply? {
        guard let kept = state.withLock({ $0.results[requester] }) else { return nil }
        guard kept.payment == payment, kept.request == request else { throw .keyMismatch }
        return kept.reply
    }

    /// Keeps a change.
    func change(_ payment: String, to edit: Edit) { state.withLock { $0.edits[payment] = edit } }

    /// Keeps the answer to a change.
    func keep(_ reply: PSPReply, to request: JSON, of payment: String, by requester: Requester) {
        state.withLock { state in
            state.results[requester] = Kept(payment: payment, request: request, reply: reply)
            state.order.append(requester)
            guard state.order.count > Self.limit else { return }
            let oldest = state.order.removeFirst()
            if let forgotten = state.results.removeValue(forKey: oldest)?.payment { state.edits[forgotten] = nil }
        }
    }
}
