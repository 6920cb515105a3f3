package import Domain
import SQL
package import Storage

/// A key that another key asks for over the API.
extension KeyDraft {
    /// Why a key must not give what is asked for; nil if it may.
    ///
    /// No key gives more than it has: a scope that it lacks, a time beyond its own, or another network than its own.
    func refusal(to maker: APIKeyTable.Key) -> DirectoryRefusal? {
        if let lacking = scopes.first(where: { !$0.isCovered(by: maker.scopes) }) { return .scopeNotHeld(lacking.text) }
        if !maker.networks.isEmpty, networks.isEmpty || !networks.allSatisfy({ $0.lies(in: maker.networks) }) {
            return .networkNotHeld
        }
        guard let last = maker.expiresAt else { return nil }
        return end.map { $0 <= last } ?? false ? nil : .keyOutlivesMaker(last)
    }

    /// Whether a stored key is what is asked for.
    func describes(_ key: APIKeyTable.Key, in session: any Session) throws -> Bool {
        let stored = try Set(scopes.map { try $0.stored(for: key.marketplace, in: session) })
        return stored == key.scopes && end == key.expiresAt && version == key.apiVersion
            && name ?? key.id.text == key.name && networks == key.networks
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
    ///   - actor: the same as the audit trail names it.
    ///   - marketplace: whose both are.
    ///   - idempotencyKey: the request's idempotency key.
    ///   - random: 256 random bits in hexadecimal.
    ///   - now: the database's time.
    /// - Returns: the key, and its text if it was made now: it is not stored.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func create(
        _ wanted: KeyDraft,
        by maker: KeyID,
        as actor: AuditActor,
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
                wanted,
                for: MarketplaceChoice(marketplace),
                under: idempotencyKey,
                by: actor,
                random: random,
                at: now
            )
        } catch SQLError.uniqueViolation(let constraint) {
            // Another request under the key was first.
            if let made = try await earlier() { return (made, nil) }
            if let name = wanted.name,
                let other = try await database.read({ try APIKeyTable.find(named: name, of: marketplace, in: $0) })
            {
                throw DirectoryRefusal.keyNameInUse(name, other.id)
            }
            throw SQLError.uniqueViolation(constraint: constraint)
        }
        let stored = try await database.read { session in try APIKeyTable.find(made.id, of: marketplace, in: session) }
        guard let stored else { throw SQLError.unexpectedValue(column: "api_key.id") }
        return (stored, made.text)
    }
}
