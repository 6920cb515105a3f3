import StrictJSON
import Synchronization

/// Single-use payment methods, and what payment methods stand for.
///
/// Single-use ones are kept outside the books and forgotten at a restart. A token of the simulator is a multi-use one.
final class BraintreeVault: Sendable {
    /// How long a single-use payment method lives: 3 hours, in milliseconds (graphql guides, "Payment Methods").
    static let lifeMilliseconds: Int64 = 3 * 3_600_000
    /// How many are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct Entry {
        let account: String
        let digest: NetworkTokenDigest
        let origin: String?
        let createdAt = SimulatorServer.systemClock()
        var isConsumed = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Keeps a network token of a wallet, or of none; the answer is its identifier.
    func add(_ digest: NetworkTokenDigest, origin: String?, of account: String) -> String {
        let parts = (0..<5).map { _ in
            String(String(UInt64.random(in: .min ... .max), radix: 36).suffix(6))
        }
        let id = "tokencc_bh_" + parts.joined(separator: "_")
        state.withLock { state in
            state.entries[id] = Entry(account: account, digest: digest, origin: origin)
            state.order.append(id)
            if state.order.count > Self.limit { state.entries[state.order.removeFirst()] = nil }
        }
        return id
    }

    /// What a payment method stands for, and the wallet that it came from.
    ///
    /// - Throws: ``Refusal`` if nobody knows it, or it has been used.
    func method(_ id: String, of account: String) throws(Refusal) -> (method: PaymentMethod, origin: String?) {
        if id.hasPrefix(TokenScript.prefix) { return (.token(id), nil) }
        if let token = Self.testNonces[id] { return (.token(TokenScript.prefix + token), nil) }
        let now = SimulatorServer.systemClock()
        let entry = state.withLock { $0.entries[id] }
        guard let entry, entry.account == account, now < entry.createdAt + Self.lifeMilliseconds else {
            guard id != "fake-consumed-nonce" else { throw Self.consumed }
            throw Self.unknown
        }
        guard !entry.isConsumed else { throw Self.consumed }
        return (.networkToken(entry.digest), entry.origin)
    }

    /// Notes that a transaction was made of it.
    func consume(_ id: String) { state.withLock { $0.entries[id]?.isConsumed = true } }

    /// Nobody knows the payment method.
    static let unknown = BraintreeFault(
        "91565",
        "Unknown or expired single-use payment method.",
        at: "input.paymentMethodId"
    ).refusal

    private static let consumed = BraintreeFault(
        "91564",
        "Cannot use a single-use payment method more than once.",
        at: "input.paymentMethodId"
    ).refusal

    /// Nonces of Braintree's sandbox (reference/general/testing) that have a counterpart; they can be used again.
    private static let testNonces: [String: String] = [
        "fake-valid-nonce": "approve", "fake-valid-visa-nonce": "approve", "fake-valid-amex-nonce": "approve",
        "fake-valid-mastercard-nonce": "approve", "fake-valid-discover-nonce": "approve",
        "fake-apple-pay-visa-nonce": "approve", "fake-apple-pay-mastercard-nonce": "approve",
        "fake-apple-pay-amex-nonce": "approve", "fake-android-pay-nonce": "approve",
        "fake-android-pay-visa-nonce": "approve", "fake-android-pay-mastercard-nonce": "approve",
        "fake-processor-declined-visa-nonce": "decline_generic",
        "fake-processor-declined-mastercard-nonce": "decline_generic",
        "fake-processor-declined-amex-nonce": "decline_generic",
        "fake-gateway-rejected-fraud-nonce": "decline_suspected_fraud",
    ]
}
