import Crypto
package import StrictJSON
import Synchronization

/// What the last hours' transactions looked like, so that the same one is not taken twice.
///
/// Authorize.Net compares the type, the amount, what pays, the order and the people; it forgets after the request's
/// `duplicateWindow`, two minutes unless it says otherwise, eight hours at most (response code 11). The simulator keeps
/// only codes of them, under a key of its own, and forgets all when it stops.
package final class AuthorizeNetDuplicates: Sendable {
    /// The window of a request that names none, in milliseconds.
    package static let usualWindow: Int64 = 120_000
    /// The longest window, in milliseconds.
    package static let longestWindow: Int64 = 28_800_000
    /// How many transactions are remembered; the oldest are forgotten.
    private static let limit = 10_000

    private struct State {
        var times: [[UInt8]: Int64] = [:]
        var order: [[UInt8]] = []
    }

    private let key = SymmetricKey(size: .bits256)
    private let state = Mutex(State())

    /// Remembers nothing yet.
    package init() {}

    /// What a transaction of an account is recognized by.
    package func mark(of transaction: JSON, amount: Int64, account: String) -> [UInt8] {
        let parts = ["transactionType", "currencyCode", "order", "lineItems", "customer", "billTo", "shipTo"]
        let json: JSON = [
            .string(account), .integer(amount), AuthorizeNetPayment.identity(transaction),
            .array(parts.map { .optional(transaction[$0]) }),
        ]
        return Array(HMAC<SHA256>.authenticationCode(for: json.bytes, using: key))
    }

    /// Whether the same transaction was made within the window before `now`.
    package func contains(_ mark: [UInt8], within window: Int64, at now: Int64) -> Bool {
        state.withLock { state in state.times[mark].map { now - $0 < window } ?? false }
    }

    /// Remembers a transaction that was made.
    package func record(_ mark: [UInt8], at now: Int64) {
        state.withLock { state in
            if state.times.updateValue(now, forKey: mark) == nil { state.order.append(mark) }
            if state.order.count > Self.limit { state.times[state.order.removeFirst()] = nil }
        }
    }
}
