package import Domain
import SQL
package import Storage

/// A key that another key asks for over the API.
package struct RequestedKey: Hashable, Sendable {
    /// What it is to do.
    package let scopes: [KeyScope]
    /// When it ends by itself; nil for never.
    package let end: Timestamp?
    /// The version of the API that it is answered in unless a request asks for another; nil for the newest.
    package let version: String?

    /// Asks for a key.
    package init(scopes: [KeyScope], until end: Timestamp?, pinnedTo version: String?) {
        self.scopes = scopes
        self.end = end
        self.version = version
    }

    /// Why a key must not give what is asked for; nil if it may.
    ///
    /// No key gives more than it has: a scope that it lacks, or a time beyond its own.
    func refusal(to maker: APIKeyTable.Key) -> DirectoryRefusal? {
        if let lacking = scopes.first(where: { !$0.isCovered(by: maker.scopes) }) { return .scopeNotHeld(lacking.text) }
        guard let last = maker.expiresAt else { return nil }
        return end.map { $0 <= last } ?? false ? nil : .keyOutlivesMaker(last)
    }

    /// Whether a stored key is what is asked for.
    func describes(_ key: APIKeyTable.Key, in session: any Session) throws -> Bool {
        let stored = try Set(scopes.map { try $0.stored(for: key.marketplace, in: session) })
        return stored == key.scopes && end == key.expiresAt && version == key.apiVersion
    }
}

extension KeyScope {
    /// Whether whoever has these scopes may do all that this one opens.
    fileprivate func isCovered(by scopes: Set<String>) -> Bool {
        let wider: [KeyScope] =
            switch self {
            case .support, .merchant: [.operator]
            case .publishable: [.checkout]
            case .checkout, .operator, .adjuster, .admin: []
            }
        return !scopes.isDisjoint(with: ([self] + wider).map(\.text))
    }
}

extension APIKeys {
    /// Makes a key that another key asks for, once under an idempotency key.
    ///
    /// - Parameters:
    ///   - wanted: what is asked for.
    ///   - maker: the identifier of the key that asks.
    ///   - marketplace: whose both are.
    ///   - idempotencyKey: the request's idempotency key.
    ///   - random: 256 random bits in hexadecimal.
    ///   - now: the database's time.
    /// - Returns: the key, and its text if it was made now: it is not stored.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func create(
        _ wanted: RequestedKey,
        by maker: KeyID,
        of marketplace: String,
        under idempotencyKey: String,
        random: Secret,
        at now: Timestamp
    ) async throws -> (key: APIKeyTable.Key, text: Secret?) {
        func earlier() async throws -> APIKeyTable.Key? {
            try await database.read { session in
                let made = try APIKeyTable.find(idempotencyKey: idempotencyKey, of: marketplace, in: session)
                guard let made else { return nil }
                guard try wanted.describes(made, in: session) else { throw DirectoryRefusal.keyRequestReused(made.id) }
                return made
            }
        }
        let known = try await database.read { session in try APIKeyTable.find(maker, of: marketplace, in: session) }
        guard let known else { throw DirectoryRefusal.keyLacksScope(KeyScope.admin.text) }
        if let refusal = wanted.refusal(to: known) { throw refusal }
        if let made = try await earlier() { return (made, nil) }
        let made: NewAPIKey
        do {
            made = try await create(
                for: MarketplaceChoice(marketplace),
                wanted.scopes,
                until: wanted.end,
                pinnedTo: wanted.version,
                under: idempotencyKey,
                random: random,
                at: now
            )
        } catch SQLError.uniqueViolation(let constraint) {
            // Another request under the key was first.
            guard let made = try await earlier() else { throw SQLError.uniqueViolation(constraint: constraint) }
            return (made, nil)
        }
        let stored = try await database.read { session in try APIKeyTable.find(made.id, of: marketplace, in: session) }
        guard let stored else { throw SQLError.unexpectedValue(column: "api_key.id") }
        return (stored, made.text)
    }
}
