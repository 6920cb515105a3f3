package import Domain
package import SQL

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
    package static func enable(_ id: EndpointID, in session: any Session) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE callback_endpoint SET state = 'enabled', reason = NULL, failures = 0, failing_since = NULL,
                retry_at = NULL
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
