package import Domain
package import SQL
package import Storage
import StrictJSON

/// How people name an endpoint: by its id, by the marketplace's id, or by a merchant's external identifier.
package struct EndpointName: Hashable, Sendable {
    private let text: String

    /// A name as it was typed.
    package init(_ text: String) { self.text = text }

    /// The endpoint that is meant.
    ///
    /// - Parameters:
    ///   - marketplace: whose; nil for whichever there is.
    ///   - session: the transaction.
    /// - Returns: the endpoint.
    /// - Throws: ``DirectoryRefusal`` if there is none or more than one, or `SQLError`.
    package func find(of marketplace: String?, in session: any Session) throws -> CallbackEndpoint {
        if let id = EndpointID(text) {
            if let found = try CallbackEndpointTable.find(id, in: session),
                marketplace == nil || found.marketplace == marketplace
            {
                return found
            }
            throw DirectoryRefusal.unknownEndpoint(text)
        }
        let owners = try marketplace.map { [$0] } ?? MarketplaceTable.all(in: session).map(\.id)
        var found: [CallbackEndpoint] = []
        for owner in owners {
            if owner == text, let own = try CallbackEndpointTable.find(of: owner, merchant: nil, in: session) {
                found.append(own)
            }
            for merchant in try MerchantTable.find([text], of: owner, in: session) {
                found += [try CallbackEndpointTable.find(of: owner, merchant: merchant.id, in: session)]
                    .compactMap(\.self)
            }
        }
        guard let only = found.first else { throw DirectoryRefusal.unknownEndpoint(text) }
        guard found.count == 1 else {
            throw DirectoryRefusal.severalEndpoints(text, found.map { .init(id: $0.id, url: $0.url) })
        }
        return only
    }
}

/// Looking after the endpoints that callbacks are delivered to.
package struct Endpoints: Sendable {
    private let database: any Database
    private let actor: AuditActor

    /// The endpoints in a database, as somebody looks after them.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

    /// Lets callbacks be delivered to an endpoint again, at once and as if nothing had failed there.
    ///
    /// - Returns: the endpoint as it was before.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func enable(
        _ name: EndpointName,
        of choice: MarketplaceChoice,
        at now: Timestamp
    ) async throws -> CallbackEndpoint {
        try await database.write { session in
            let found = try name.find(of: choice.filter(in: session), in: session)
            _ = try CallbackEndpointTable.enable(found.id, in: session)
            try record(.enableEndpoint, on: found, at: now, in: session)
            return found
        }
    }

    /// Sends what an endpoint is told to another address from now on, at once and as if nothing had failed.
    ///
    /// What the old address answered, or has yet to answer, says nothing of the new one. An endpoint that is not declared
    /// any more stays disabled.
    ///
    /// - Returns: the endpoint as it is now; nil if there is none of that name in the marketplace.
    /// - Throws: `SQLError`.
    package func move(
        _ id: EndpointID,
        of marketplace: String,
        to url: String,
        at now: Timestamp
    ) async throws -> CallbackEndpoint? {
        try await database.write { session in
            try MarketplaceTable.lock(marketplace, in: session)
            guard var locked = try CallbackEndpointTable.lock(id, in: session), locked.marketplace == marketplace else {
                return nil
            }
            let isElsewhere = locked.url != url
            locked.url = url
            try CallbackEndpointTable.save(locked, in: session)
            if isElsewhere, locked.reason != .undeclared { _ = try CallbackEndpointTable.enable(id, in: session) }
            try record(.moveEndpoint, on: locked, at: now, in: session)
            return try CallbackEndpointTable.find(id, in: session)
        }
    }

    /// Gives an endpoint a new secret; the one before signs beside it for a while.
    ///
    /// - Parameters:
    ///   - name: which endpoint.
    ///   - choice: whose.
    ///   - until: when the secret before ends.
    ///   - now: the database's time.
    ///   - kept: answers the new secret as it is kept for the endpoint.
    /// - Returns: the endpoint's identifier.
    /// - Throws: ``DirectoryRefusal``, what `kept` throws, or `SQLError`.
    package func rotateSecret(
        of name: EndpointName,
        of choice: MarketplaceChoice,
        until: Timestamp,
        at now: Timestamp,
        to kept: @escaping @Sendable (EndpointID) throws -> CallbackSecrets.Kept
    ) async throws -> EndpointID {
        try await database.write { session in
            let found = try name.find(of: choice.filter(in: session), in: session)
            try MarketplaceTable.lock(found.marketplace, in: session)
            guard var locked = try CallbackEndpointTable.lock(found.id, in: session) else {
                throw DirectoryRefusal.unknownEndpoint(found.id.text)
            }
            locked.secrets.rotate(to: try kept(found.id), until: until, at: now)
            try CallbackEndpointTable.save(locked, in: session)
            try record(
                .rotateEndpoint,
                on: locked,
                at: now,
                ["previous_until": .string(until.description)],
                in: session
            )
            return found.id
        }
    }

    private func record(
        _ act: AuditAct,
        on endpoint: CallbackEndpoint,
        at now: Timestamp,
        _ details: JSON = [:],
        in session: any Session
    ) throws(SQLError) {
        try AuditTrailTable.record(
            act,
            by: actor,
            on: AuditSubject(.endpoint, endpoint.id.text),
            of: endpoint.marketplace,
            at: now,
            details,
            in: session
        )
    }

    /// What people call the merchants that endpoints belong to: their external identifiers.
    ///
    /// - Throws: `SQLError`.
    package static func merchantNames(
        of endpoints: [CallbackEndpoint],
        in session: any Session
    ) throws -> [MerchantID: String] {
        var names: [MerchantID: String] = [:]
        for endpoint in endpoints {
            guard let merchant = endpoint.merchant else { continue }
            let found = try MerchantTable.find(merchant, of: endpoint.marketplace, in: session)
            names[merchant] = found?.externalIdentifier
        }
        return names
    }
}
