import HTTPTypes
import Storage

/// Who asks: the marketplace a key opens, and what the key may do there.
struct Principal: Hashable, Sendable {
    /// The marketplace.
    let marketplace: String
    /// What the key may do.
    let scopes: Set<String>

    /// What a request needs.
    enum Scope: String, Sendable {
        /// Place and read orders.
        case checkout
        /// Read everything of the marketplace, and change what operators change.
        case `operator`
    }

    /// Refuses a key that has none of the scopes.
    ///
    /// - Throws: a 403 ``Problem``.
    func require(_ allowed: Scope...) throws(Problem) { try require(anyOf: allowed) }

    /// Refuses a key that has none of the scopes.
    ///
    /// - Throws: a 403 ``Problem``.
    func require(anyOf allowed: [Scope]) throws(Problem) {
        guard allowed.contains(where: { scopes.contains($0.rawValue) }) else {
            let names = allowed.map(\.rawValue).joined(separator: " or ")
            throw Problem(
                status: .forbidden,
                code: "insufficient_scope",
                detail: "The key needs the scope \(names) for this."
            )
        }
    }

    /// Refuses a key that may read neither all of the marketplace nor one merchant.
    ///
    /// - Throws: a 403 ``Problem``.
    func requireReading() throws(Problem) {
        if onlyMerchant == nil { try require(.checkout, .operator) }
    }

    /// The one merchant a key is limited to, by external identifier; nil for keys of the whole marketplace.
    var onlyMerchant: String? {
        guard scopes.isDisjoint(with: [Scope.checkout.rawValue, Scope.operator.rawValue]) else { return nil }
        let prefix = "merchant:"
        return scopes.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
