package import Domain
package import SQL
import StrictJSON

/// Endpoints, at most one for each owner.
package enum CallbackEndpointTable {
    /// Writes an endpoint: a new one enabled, of one that is there the address, the secrets and the
    /// identity alone.
    ///
    /// An owner's endpoint keeps the name under which it was saved first.
    package static func save(_ endpoint: CallbackEndpoint, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO callback_endpoint (id, marketplace, merchant, url, secrets, client_certificate, client_key,
                state, failures, created_at)
            VALUES (\(endpoint.id), \(endpoint.marketplace), \(endpoint.merchant?.text ?? ""), \(endpoint.url),
                \(endpoint.secrets.text), \(endpoint.identity?.certificate), \(endpoint.identity?.key),
                'enabled', 0, \(endpoint.createdAt))
            ON CONFLICT (marketplace, merchant) DO UPDATE SET url = excluded.url, secrets = excluded.secrets,
                client_certificate = excluded.client_certificate, client_key = excluded.client_key
            """
        )
    }

    /// Every endpoint of a marketplace, of all of them for nil: its own first, then those of merchants.
    package static func all(of marketplace: String?, in session: any Session) throws(SQLError) -> [CallbackEndpoint] {
        let condition: SQL = marketplace.map { "WHERE marketplace = \($0)" } ?? ""
        return try read(
            session.rows("SELECT * FROM callback_endpoint \(condition) ORDER BY marketplace, merchant")
        )
    }

    /// The endpoint with that name.
    package static func find(_ id: EndpointID, in session: any Session) throws(SQLError) -> CallbackEndpoint? {
        try read(session.rows("SELECT * FROM callback_endpoint WHERE id = \(id)")).first
    }

    /// The endpoint of a merchant, or of the marketplace itself for nil.
    package static func find(
        of marketplace: String,
        merchant: MerchantID?,
        in session: any Session
    ) throws(SQLError) -> CallbackEndpoint? {
        try read(
            session.rows(
                """
                SELECT * FROM callback_endpoint
                WHERE marketplace = \(marketplace) AND merchant = \(merchant?.text ?? "")
                """
            )
        ).first
    }

    /// The endpoint with that name, its row locked until the transaction ends.
    package static func lock(_ id: EndpointID, in session: any Session) throws(SQLError) -> CallbackEndpoint? {
        let lock = session.dialect.lock
        return try read(
            session.rows("SELECT * FROM callback_endpoint WHERE id = \(id) \(unsafeText: lock)")
        ).first
    }

    /// Sends to an endpoint again, at once and as if nothing had failed; false if there is no such endpoint.
    ///
    /// A claim ends with it: of a round that is out, only what arrived counts.
    package static func enable(_ id: EndpointID, in session: any Session) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE callback_endpoint SET state = 'enabled', reason = NULL, failures = 0, failing_since = NULL,
                retry_at = NULL, leased_by = NULL, leased_until = NULL
            WHERE id = \(id)
            """
        ) == 1
    }

    /// Sends nothing more to an endpoint; false if it was disabled already or there is none.
    package static func disable(
        _ id: EndpointID,
        because reason: CallbackEndpoint.Reason,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE callback_endpoint SET state = 'disabled', reason = \(reason.rawValue)
            WHERE id = \(id) AND state = 'enabled'
            """
        ) == 1
    }

    private static func identity(_ row: Row) throws(SQLError) -> CallbackEndpoint.Identity? {
        guard let certificate = try row.optionalText("client_certificate") else { return nil }
        return CallbackEndpoint.Identity(certificate: certificate, key: try row.text("client_key"))
    }

    static func read(_ rows: [Row]) throws(SQLError) -> [CallbackEndpoint] {
        try rows.map { row throws(SQLError) in
            var endpoint = CallbackEndpoint(
                id: try row.identifier("id"),
                marketplace: try row.text("marketplace"),
                merchant: try row.text("merchant") == "" ? nil : try row.identifier("merchant"),
                url: try row.text("url"),
                secrets: try CallbackSecrets(text: try row.text("secrets")),
                identity: try identity(row),
                createdAt: try row.time("created_at")
            )
            endpoint.state = try row.word("state")
            endpoint.reason = try row.optionalText("reason") == nil ? nil : try row.word("reason")
            endpoint.health.failures = try row.integer("failures")
            endpoint.health.failingSince = try row.optionalTime("failing_since")
            endpoint.health.retryAt = try row.optionalTime("retry_at")
            endpoint.health.lastStatus = try row.optionalInteger("last_status")
            endpoint.health.lastError = try row.optionalText("last_error")
            endpoint.health.lastTriedAt = try row.optionalTime("last_tried_at")
            endpoint.health.lastDeliveredAt = try row.optionalTime("last_delivered_at")
            return endpoint
        }
    }
}

/// Where the marketplace or one merchant hears about its orders, and how it goes there.
package struct CallbackEndpoint: Hashable, Sendable {
    /// Whether anything is sent there.
    package enum State: String, Sendable, CaseIterable {
        /// What is due is sent.
        case enabled
        /// Nothing is sent; what is for it waits.
        case disabled
    }

    /// Why an endpoint is disabled.
    package enum Reason: String, Sendable, CaseIterable {
        /// It answered 410: it wants nothing more.
        case gone
        /// It is no longer declared, and `apply --prune` was run.
        case undeclared
    }

    /// What is shown to a server that asks for a client certificate, as references: `env:NAME` or `file:PATH`.
    package struct Identity: Hashable, Sendable {
        /// Where the certificate is kept, in PEM.
        package let certificate: String
        /// Where its private key is kept, in PEM.
        package let key: String

        /// Pairs two references.
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Its name.
    package let id: EndpointID
    /// The marketplace.
    package let marketplace: String
    /// Whose it is; nil for the marketplace's own.
    package let merchant: MerchantID?
    /// Where callbacks are sent.
    package var url: String
    /// What they are signed with.
    package var secrets: CallbackSecrets
    /// What is shown to a server that asks for a client certificate; nil for nothing.
    package var identity: Identity?
    /// Whether anything is sent there.
    package internal(set) var state = State.enabled
    /// Why nothing is.
    package internal(set) var reason: Reason?
    /// How the last deliveries went.
    package var health = Health()
    /// When it was saved first.
    package let createdAt: Timestamp

    /// How the last deliveries to an endpoint went.
    package struct Health: Hashable, Sendable {
        /// How many rounds in a row have brought nothing home.
        package var failures: Int64 = 0
        /// Since when; nil while ``failures`` is zero.
        package var failingSince: Timestamp?
        /// Before when nothing is sent; nil for at once.
        package var retryAt: Timestamp?
        /// The HTTP status of the last reply.
        package var lastStatus: Int64?
        /// Why the last try failed; nil if it did not.
        package var lastError: String?
        /// When something was last sent there.
        package var lastTriedAt: Timestamp?
        /// When something last arrived there.
        package var lastDeliveredAt: Timestamp?

        /// Of an endpoint that nothing was sent to.
        package init() {}
    }

    /// Makes an enabled endpoint.
    package init(
        id: EndpointID,
        marketplace: String,
        merchant: MerchantID?,
        url: String,
        secrets: CallbackSecrets,
        identity: Identity? = nil,
        createdAt: Timestamp
    ) {
        self.id = id
        self.marketplace = marketplace
        self.merchant = merchant
        self.url = url
        self.secrets = secrets
        self.identity = identity
        self.createdAt = createdAt
    }
}

/// What an endpoint's callbacks are signed with: the current secret and, while one is replaced, those before it.
///
/// None of them stands here in the clear.
package struct CallbackSecrets: Hashable, Sendable {
    /// How a secret is kept.
    package enum Kept: Hashable, Sendable {
        /// Elsewhere: `env:NAME` or `file:PATH`.
        case reference(String)
        /// Here, encrypted under the key of that name; the bytes in hexadecimal.
        case sealed(keyID: String, hexadecimal: String)
    }

    /// A secret that was replaced and still signs for a while.
    package struct Previous: Hashable, Sendable {
        /// How it is kept.
        package let kept: Kept
        /// From when on it signs nothing more.
        package let until: Timestamp
    }

    /// The one that whoever receives should verify with.
    package private(set) var current: Kept
    /// Those that were replaced, the latest first.
    package private(set) var previous: [Previous]

    /// One secret.
    package init(_ current: Kept) {
        self.current = current
        previous = []
    }

    /// Replaces the current secret, which goes on signing beside the new one until `until`; those before it no longer
    /// than that.
    package mutating func rotate(to kept: Kept, until: Timestamp, at now: Timestamp) {
        let older = previous.map { Previous(kept: $0.kept, until: min($0.until, until)) }
        previous = ([Previous(kept: current, until: until)] + older).filter { $0.until > now && $0.kept != kept }
        current = kept
    }

    /// Every secret that signs at `now`, the current one first.
    package func valid(at now: Timestamp) -> [Kept] { [current] + previous.filter { $0.until > now }.map(\.kept) }

    /// The keys that those are sealed with which sign at `now`, one for each.
    package func keyIDs(at now: Timestamp) -> [String] {
        valid(at: now).compactMap { if case .sealed(let id, _) = $0 { id } else { nil } }
    }

    /// The same secrets, each kept as `change` has it; those that sign nothing more are left out.
    ///
    /// - Throws: what `change` throws.
    package func kept(at now: Timestamp, _ change: (Kept) throws -> Kept) rethrows -> CallbackSecrets {
        var secrets = CallbackSecrets(try change(current))
        secrets.previous = try previous.filter { $0.until > now }.map {
            Previous(kept: try change($0.kept), until: $0.until)
        }
        return secrets
    }

    /// The document as JSON text.
    package var text: String {
        let older = previous.map { $0.kept.document + [.init("until", .integer($0.until.microseconds))] }
        return JSON.object([
            .init("current", .object(current.document)), .init("previous", .array(older.map(JSON.object))),
        ])
        .text
    }

    /// Reads a document back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text`` does not write.
    package init(text: String) throws(SQLError) {
        guard let json = try? JSON.parse(text: text), let current = json["current"].flatMap(Kept.init),
            let older = json["previous"]?.arrayValue
        else { throw .unexpectedValue(column: "secrets") }
        self.current = current
        var previous: [Previous] = []
        for document in older {
            guard let kept = Kept(document), let until = document["until"]?.integerValue else {
                throw .unexpectedValue(column: "secrets")
            }
            previous.append(Previous(kept: kept, until: Timestamp(microseconds: until)))
        }
        self.previous = previous
    }
}

extension CallbackSecrets.Kept {
    fileprivate var document: [JSON.Member] {
        switch self {
        case .reference(let reference): [.init("reference", .string(reference))]
        case .sealed(let key, let hexadecimal): [.init("key", .string(key)), .init("sealed", .string(hexadecimal))]
        }
    }

    fileprivate init?(_ document: JSON) {
        if let reference = document["reference"]?.stringValue {
            self = .reference(reference)
        } else if let key = document["key"]?.stringValue, let bytes = document["sealed"]?.stringValue {
            self = .sealed(keyID: key, hexadecimal: bytes)
        } else {
            return nil
        }
    }
}
