package import Domain
package import SQL

/// What is stored sealed with a key of the ring.
package enum SealedKind: String, CaseIterable, Sendable {
    /// The keys that credentials are sealed with, each for some minutes.
    case credentialKeys = "credential_keys"
    /// Credentials that an earlier build sealed with the ring itself.
    case credentials
    /// What callbacks are signed with, one for each secret that still signs.
    case endpointSecrets = "endpoint_secrets"
    /// The key that bodies of requests are hashed with.
    case hashingKey = "hashing_key"
    /// What buyers read of their orders in Wallet: items, names and addresses.
    case walletDetails = "wallet_details"
    /// Where goods go, and how far they are.
    case fulfillments = "fulfillments"
    /// What charges under agreements are paid with.
    case agreementMethods = "agreement_methods"
}

/// How much is sealed with a key of the ring.
package struct KeyringNeed: Hashable, Sendable {
    /// The key's id.
    package let key: String
    /// What is sealed with it.
    package let kind: SealedKind
    /// How many.
    package let count: Int64

    /// Counts so many.
    package init(_ key: String, _ kind: SealedKind, _ count: Int64) {
        (self.key, self.kind, self.count) = (key, kind, count)
    }
}

/// Everything that is sealed with keys of the ring: how much there is, and how it is put under another key.
package enum SealedValues {
    /// A value, as it is stored.
    package struct Value: Hashable, Sendable {
        /// Its row's key.
        package let id: String
        /// What it is bound to.
        package let context: String
        /// What is stored.
        package let sealed: CredentialTable.Sealed
    }

    /// The secrets of an endpoint, as they are stored.
    package struct Endpoint: Hashable, Sendable {
        /// The endpoint.
        package let id: EndpointID
        /// Its secrets.
        package let secrets: CallbackSecrets
        /// The text that they are stored as.
        package let text: String
    }

    /// Endpoints that are read at once.
    private static let endpointLimit = 1000

    /// How much is sealed with each key, by keys and kinds; nothing where there is nothing.
    ///
    /// - Throws: `SQLError`.
    package static func needs(at now: Timestamp, in session: any Session) throws(SQLError) -> [KeyringNeed] {
        var counts: [String: [SealedKind: Int64]] = [:]
        let (keys, credentials, details, fulfillments) = try session.rows(
            "SELECT key_id, COUNT(*) AS count FROM credential_key GROUP BY key_id",
            "SELECT key_id, COUNT(*) AS count FROM credential GROUP BY key_id",
            "SELECT key_id, COUNT(*) AS count FROM wallet_details GROUP BY key_id",
            "SELECT key_id, COUNT(*) AS count FROM fulfillment GROUP BY key_id"
        )
        for row in try session.rows("SELECT key_id, COUNT(*) AS count FROM agreement_method GROUP BY key_id") {
            counts[try row.text("key_id"), default: [:]][.agreementMethods] = try row.integer("count")
        }
        for row in details { counts[try row.text("key_id"), default: [:]][.walletDetails] = try row.integer("count") }
        for row in fulfillments {
            counts[try row.text("key_id"), default: [:]][.fulfillments] = try row.integer("count")
        }
        for row in keys { counts[try row.text("key_id"), default: [:]][.credentialKeys] = try row.integer("count") }
        for row in credentials {
            let id = try row.text("key_id")
            // The others are sealed with a key of ``CredentialKeyTable``.
            if CredentialKeyID(id) == nil { counts[id, default: [:]][.credentials] = try row.integer("count") }
        }
        if let key = try HashingKeyTable.find(in: session) { counts[key.keyID, default: [:]][.hashingKey] = 1 }
        var page = try endpoints(after: "", limit: endpointLimit, in: session)
        while let last = page.last {
            for id in page.flatMap({ $0.secrets.keyIDs(at: now) }) {
                counts[id, default: [:]][.endpointSecrets, default: 0] += 1
            }
            page = try endpoints(after: last.id.text, limit: endpointLimit, in: session)
        }
        return counts.keys.sorted().flatMap { key in
            SealedKind.allCases.compactMap { kind in counts[key]?[kind].map { KeyringNeed(key, kind, $0) } }
        }
    }

    /// A page of the endpoints, by their identifiers, behind one.
    ///
    /// - Throws: `SQLError`.
    package static func endpoints(
        after cursor: String,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Endpoint] {
        let rows = try session.rows(
            "SELECT id, secrets FROM callback_endpoint WHERE id > \(cursor) ORDER BY id LIMIT \(Int64(limit))"
        )
        return try rows.map { row throws(SQLError) in
            let text = try row.text("secrets")
            return Endpoint(id: try row.identifier("id"), secrets: try CallbackSecrets(text: text), text: text)
        }
    }

    /// Puts secrets in the place of an endpoint's, unless those were changed meanwhile; says whether it did.
    ///
    /// - Throws: `SQLError`.
    package static func replace(
        _ endpoint: Endpoint,
        by secrets: CallbackSecrets,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE callback_endpoint SET secrets = \(secrets.text)
            WHERE id = \(endpoint.id) AND secrets = \(endpoint.text)
            """
        ) == 1
    }

    /// A page of the values of a kind that another key of the ring than `current` seals, by their rows, behind one.
    ///
    /// The secrets of endpoints are read as ``endpoints(after:limit:in:)``.
    ///
    /// - Throws: `SQLError`.
    package static func values(
        of kind: SealedKind,
        notUnder current: String,
        after cursor: String,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Value] {
        switch kind {
        case .endpointSecrets: return []
        case .hashingKey:
            guard cursor.isEmpty, let key = try HashingKeyTable.find(in: session), key.keyID != current else {
                return []
            }
            return [Value(id: HashingKeyTable.purpose, context: HashingKeyTable.context, sealed: key)]
        case .credentialKeys:
            let rows = try session.rows(
                """
                SELECT id, key_id, sealed FROM credential_key WHERE key_id <> \(current) AND id > \(cursor)
                ORDER BY id LIMIT \(Int64(limit))
                """
            )
            return try rows.map { row throws(SQLError) in
                let id = try row.text("id")
                return Value(id: id, context: id, sealed: try sealed(row))
            }
        case .walletDetails:
            return try documents("wallet_details", "order_id", notUnder: current, after: cursor, limit, in: session)
                .map { Value(id: $0.id, context: "wallet-details/\($0.id)", sealed: $0.sealed) }
        case .fulfillments:
            return try documents("fulfillment", "id", notUnder: current, after: cursor, limit, in: session)
                .map { Value(id: $0.id, context: "fulfillment/\($0.id)", sealed: $0.sealed) }
        case .agreementMethods:
            let rows = try session.rows(
                """
                SELECT id, agreement_id, key_id, sealed FROM agreement_method
                WHERE key_id <> \(current) AND id > \(cursor) ORDER BY id LIMIT \(Int64(limit))
                """
            )
            return try rows.map { row throws(SQLError) in
                let (id, agreement): (StoredMethodID, AgreementID) =
                    (try row.identifier("id"), try row.identifier("agreement_id"))
                let context = AgreementMethodTable.context(of: id, agreement)
                return Value(id: id.text, context: context, sealed: try sealed(row))
            }
        case .credentials:
            let rows = try session.rows(
                """
                SELECT attempt_id, COALESCE(sealed_for, attempt_id) AS context, key_id, sealed FROM credential
                WHERE key_id <> \(current) AND key_id NOT LIKE \(CredentialKeyTag.prefix + "!_%") ESCAPE '!'
                    AND attempt_id > \(cursor)
                ORDER BY attempt_id LIMIT \(Int64(limit))
                """
            )
            return try rows.map { row throws(SQLError) in
                Value(id: try row.text("attempt_id"), context: try row.text("context"), sealed: try sealed(row))
            }
        }
    }

    /// A page of what one table keeps sealed under a name each.
    private static func documents(
        _ table: String,
        _ key: String,
        notUnder current: String,
        after cursor: String,
        _ limit: Int,
        in session: any Session
    ) throws(SQLError) -> [(id: String, sealed: CredentialTable.Sealed)] {
        try session.rows(
            """
            SELECT \(unsafeText: key) AS id, key_id, sealed FROM \(unsafeText: table)
            WHERE key_id <> \(current) AND \(unsafeText: key) > \(cursor)
            ORDER BY \(unsafeText: key) LIMIT \(Int64(limit))
            """
        ).map { row throws(SQLError) in (id: try row.text("id"), sealed: try sealed(row)) }
    }

    /// Puts what was sealed anew in the place of a value, unless that was changed meanwhile; says whether it did.
    ///
    /// - Throws: `SQLError`.
    package static func replace(
        _ value: Value,
        of kind: SealedKind,
        by new: CredentialTable.Sealed,
        in session: any Session
    ) throws(SQLError) -> Bool {
        let place: SQL
        switch kind {
        case .endpointSecrets: return false
        case .hashingKey: return try HashingKeyTable.replace(value.sealed, by: new, in: session)
        case .credentialKeys: place = "credential_key SET key_id = \(new.keyID), sealed = \(new.bytes) WHERE id"
        case .walletDetails: place = "wallet_details SET key_id = \(new.keyID), sealed = \(new.bytes) WHERE order_id"
        case .fulfillments: place = "fulfillment SET key_id = \(new.keyID), sealed = \(new.bytes) WHERE id"
        case .agreementMethods: place = "agreement_method SET key_id = \(new.keyID), sealed = \(new.bytes) WHERE id"
        case .credentials: place = "credential SET key_id = \(new.keyID), sealed = \(new.bytes) WHERE attempt_id"
        }
        return try session.change(
            "UPDATE \(place) = \(value.id) AND key_id = \(value.sealed.keyID) AND sealed = \(value.sealed.bytes)"
        ) == 1
    }

    private static func sealed(_ row: Row) throws(SQLError) -> CredentialTable.Sealed {
        CredentialTable.Sealed(keyID: try row.text("key_id"), bytes: try row.bytes("sealed"))
    }
}
