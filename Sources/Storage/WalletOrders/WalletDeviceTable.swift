package import Domain
package import SQL

/// Devices that follow orders in Wallet, each under the order type that it registered with, and what they registered for.
package enum WalletDeviceTable {
    /// The most devices that may register for one order: more than any family has.
    package static let devicesPerOrder = 50

    /// What became of a registration.
    package enum Registration: Hashable, Sendable {
        /// It is new.
        case added
        /// It was there; its push token counts from now on.
        case renewed
        /// There is no such order of that type.
        case unknownOrder
        /// As many devices as may have registered already.
        case tooMany
    }

    /// A device, as it is stored.
    package struct Device: Hashable, Sendable {
        /// The order type.
        package let type: String
        /// Its identifier, which is the secret that it lists its orders with.
        package let id: String
        /// The marketplace.
        package let marketplace: String
        /// For how many orders it is registered.
        package let orders: Int64
        /// How many pushes it is owed.
        package let pushes: Int64
        /// When it last registered.
        package let registeredAt: Timestamp
        /// When it is pushed next, if it is owed a push.
        package let pushAt: Timestamp
        /// How many pushes failed since the last one that was taken.
        package let failures: Int64
        /// When a push was last taken.
        package let lastPushedAt: Timestamp?
        /// Why the last push failed.
        package let lastError: String?
    }

    /// Registers a device for an order.
    ///
    /// The row of the order in Wallet is locked, so that a step that changes it either sees the registration or comes before
    /// it. A device that registers for a version newer than what was fetched is owed a push at once.
    ///
    /// - Parameters:
    ///   - device: the device's identifier.
    ///   - pushToken: where it is pushed; the newest one counts.
    ///   - id: the identifier of the order in Wallet.
    ///   - type: the order type.
    ///   - now: the real time.
    ///   - session: the transaction.
    /// - Returns: what became of it.
    /// - Throws: `SQLError`.
    package static func register(
        _ device: String,
        pushToken: String,
        for id: String,
        of type: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Registration {
        guard let entry = try WalletOrderTable.lock(id, type: type, in: session) else { return .unknownOrder }
        let (known, others) = try session.rows(
            """
            SELECT 1 AS found FROM wallet_registration
            WHERE order_type = \(type) AND device = \(device) AND wallet_order = \(id)
            """,
            "SELECT COUNT(*) AS count FROM wallet_registration WHERE wallet_order = \(id)"
        )
        let isNew = known.isEmpty
        if isNew, let row = others.first, try row.integer("count") >= devicesPerOrder { return .tooMany }
        try session.run(
            """
            INSERT INTO wallet_device (order_type, device, marketplace, push_token, registered_at, push_at)
            VALUES (\(type), \(device), \(entry.marketplace), \(pushToken), \(now), \(now))
            ON CONFLICT (order_type, device) DO UPDATE SET push_token = excluded.push_token,
                registered_at = excluded.registered_at
            """
        )
        try session.run(
            """
            INSERT INTO wallet_registration (order_type, device, wallet_order, registered_at)
            VALUES (\(type), \(device), \(id), \(now))
            ON CONFLICT (order_type, device, wallet_order) DO NOTHING
            """
        )
        if isNew, (1..<entry.version).contains(entry.fetchedVersion) {
            try session.run(
                """
                INSERT INTO wallet_push (order_type, device, wallet_order, version, created_at)
                VALUES (\(type), \(device), \(id), \(entry.version), \(now)) ON CONFLICT DO NOTHING
                """
            )
        }
        return isNew ? .added : .renewed
    }

    /// Ends a registration, and forgets a device that has no other; nothing if it is none.
    ///
    /// The device's row is locked first, as it is by whoever registers.
    package static func unregister(
        _ device: String,
        from id: String,
        of type: String,
        in session: any Session
    ) throws(SQLError) {
        _ = try session.rows(
            """
            SELECT device FROM wallet_device WHERE order_type = \(type) AND device = \(device)
            \(unsafeText: session.dialect.lock)
            """
        )
        try session.run(
            """
            DELETE FROM wallet_registration
            WHERE order_type = \(type) AND device = \(device) AND wallet_order = \(id)
            """
        )
        try session.run(
            """
            DELETE FROM wallet_device WHERE order_type = \(type) AND device = \(device) AND NOT EXISTS (
                SELECT 1 FROM wallet_registration r
                WHERE r.order_type = wallet_device.order_type AND r.device = wallet_device.device)
            """
        )
    }

    /// What a device is registered for, each with its version and the later of when it changed and when it registered.
    package static func orders(
        of device: String,
        type: String,
        in session: any Session
    ) throws(SQLError) -> [(id: String, version: Int64, at: Timestamp)] {
        try session.rows(
            """
            SELECT w.id, w.version,
                CASE WHEN w.modified_at > r.registered_at THEN w.modified_at ELSE r.registered_at END AS at
            FROM wallet_registration r JOIN wallet_order w ON w.id = r.wallet_order
            WHERE r.order_type = \(type) AND r.device = \(device) ORDER BY w.id
            """
        ).map { row throws(SQLError) in
            (id: try row.text("id"), version: try row.integer("version"), at: try row.time("at"))
        }
    }

    /// The devices of a marketplace, or those that follow an order, the last to register first.
    package static func list(
        marketplace: String,
        order: OrderID? = nil,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Device] {
        let follows: SQL =
            order.map {
                """
                AND EXISTS (SELECT 1 FROM wallet_registration r JOIN wallet_order w ON w.id = r.wallet_order
                    WHERE w.order_id = \($0) AND r.order_type = d.order_type AND r.device = d.device)
                """
            } ?? ""
        return try session.rows(
            """
            SELECT d.*, (SELECT COUNT(*) FROM wallet_registration r
                    WHERE r.order_type = d.order_type AND r.device = d.device) AS orders,
                (SELECT COUNT(*) FROM wallet_push p
                    WHERE p.order_type = d.order_type AND p.device = d.device) AS pushes
            FROM wallet_device d WHERE d.marketplace = \(marketplace) \(follows)
            ORDER BY d.registered_at DESC, d.device LIMIT \(limit)
            """
        ).map { row throws(SQLError) in
            Device(
                type: try row.text("order_type"),
                id: try row.text("device"),
                marketplace: try row.text("marketplace"),
                orders: try row.integer("orders"),
                pushes: try row.integer("pushes"),
                registeredAt: try row.time("registered_at"),
                pushAt: try row.time("push_at"),
                failures: try row.integer("failures"),
                lastPushedAt: try row.optionalTime("last_pushed_at"),
                lastError: try row.optionalText("last_error")
            )
        }
    }

    /// When Apple last took a push to a device of a marketplace's.
    package static func lastPushed(of marketplace: String, in session: any Session) throws(SQLError) -> Timestamp? {
        try session.rows(
            "SELECT MAX(last_pushed_at) AS at FROM wallet_device WHERE marketplace = \(marketplace)"
        ).first?.optionalTime("at")
    }
}
