package import Domain
package import SQL

/// Orders in Wallet: what is to be known of each package besides the order that it shows.
package enum WalletOrderTable {
    /// A package's row.
    package struct Entry: Hashable, Sendable {
        /// Its identifier within its type: the order's, or the payment's.
        package let id: String
        /// The order that it shows.
        package let order: OrderID
        /// The payment that alone it shows; nil for the whole order.
        package let payment: PaymentID?
        /// The marketplace.
        package let marketplace: String
        /// The order type identifier.
        package let type: String
        /// How many times what it shows has changed, from 1.
        package let version: Int64
        /// When it was made, in whole seconds.
        package let createdAt: Timestamp
        /// When it last changed, in whole seconds: at least one more for each version.
        package let updatedAt: Timestamp
        /// When it really last changed.
        package let modifiedAt: Timestamp
        /// The latest version that anybody fetched; 0 for none.
        package let fetchedVersion: Int64
    }

    /// Writes down a new one, at version 1.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - payment: the payment that alone it shows; nil for the whole order.
    ///   - type: the order type identifier.
    ///   - now: the real time.
    ///   - moment: the same by the marketplace's clock, which the package says.
    ///   - session: the transaction, in which the order's row is locked or new.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(
        _ order: Order,
        payment: PaymentID? = nil,
        type: String,
        at now: Timestamp,
        saying moment: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        let (id, second) = (payment?.text ?? order.id.text, moment.wholeSecond)
        try session.run(
            """
            INSERT INTO wallet_order (id, order_id, payment_id, marketplace, order_type, version, created_at, updated_at,
                modified_at)
            VALUES (\(id), \(order.id), \(payment), \(order.marketplace), \(type), 1, \(second), \(second), \(now))
            ON CONFLICT (id) DO NOTHING
            """
        )
    }

    /// The one with that identifier.
    package static func find(_ id: String, in session: any Session) throws(SQLError) -> Entry? {
        try read(session.rows("SELECT * FROM wallet_order WHERE id = \(id)")).first
    }

    /// The one with that identifier and type, its row locked until the transaction ends.
    package static func lock(_ id: String, type: String, in session: any Session) throws(SQLError) -> Entry? {
        try read(
            session.rows(
                """
                SELECT * FROM wallet_order WHERE id = \(id) AND order_type = \(type)
                \(unsafeText: session.dialect.lock)
                """
            )
        ).first
    }

    /// Those of an order, the whole order's first.
    package static func all(of order: OrderID, in session: any Session) throws(SQLError) -> [Entry] {
        try read(
            session.rows("SELECT * FROM wallet_order WHERE order_id = \(order) ORDER BY payment_id IS NOT NULL, id")
        )
    }

    /// Raises the version of what shows an order, and writes down the pushes that its devices are owed.
    ///
    /// It says that it was made now, in whole seconds, and at least one second after the last: devices compare `Last-Modified`,
    /// and of two versions within a second they would never fetch the second. A clock that goes back makes none older.
    ///
    /// To be called under the lock of the order's row. A device that registers meanwhile holds the row of what it registers
    /// for, so that it is either seen here or sees the new version. One that ends its registration meanwhile is owed nothing.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - payments: the payments whose own packages change; the whole order's always does.
    ///   - now: the real time.
    ///   - moment: the same by the marketplace's clock, which the package says.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func raise(
        _ order: OrderID,
        payments: [PaymentID],
        at now: Timestamp,
        saying moment: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        let own: SQL = payments.isEmpty ? "" : "OR payment_id IN (\(list: payments.map(\.sqlValue)))"
        let second = moment.wholeSecond
        try session.run(
            """
            UPDATE wallet_order SET version = version + 1, modified_at = \(now),
                updated_at = CASE WHEN updated_at >= \(second) THEN updated_at + 1000000 ELSE \(second) END
            WHERE order_id = \(order) AND (payment_id IS NULL \(own))
            """
        )
        try session.run(
            """
            INSERT INTO wallet_push (order_type, device, wallet_order, version, created_at)
            SELECT r.order_type, r.device, w.id, w.version,
                CAST(\(now) AS \(unsafeText: session.dialect.integerType))
            FROM wallet_order w JOIN wallet_registration r ON r.wallet_order = w.id
            WHERE w.order_id = \(order) AND (w.payment_id IS NULL \(own)) \(unsafeText: session.dialect.keep("r"))
            """
        )
    }

    /// Takes note that a version was fetched.
    package static func noteFetched(_ id: String, version: Int64, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE wallet_order SET fetched_version = \(version)
            WHERE id = \(id) AND fetched_version < \(version) AND version >= \(version)
            """
        )
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Entry] {
        try rows.map { row throws(SQLError) in
            Entry(
                id: try row.text("id"),
                order: try row.identifier("order_id"),
                payment: try row.optionalIdentifier("payment_id"),
                marketplace: try row.text("marketplace"),
                type: try row.text("order_type"),
                version: try row.integer("version"),
                createdAt: try row.time("created_at"),
                updatedAt: try row.time("updated_at"),
                modifiedAt: try row.time("modified_at"),
                fetchedVersion: try row.integer("fetched_version")
            )
        }
    }
}

/// What a buyer reads in Wallet and no order remembers: items, names and addresses, sealed.
package enum WalletDetailsTable {
    /// What the document of an order is bound to when it is sealed.
    package static func context(_ order: OrderID) -> String { "wallet-details/\(order.text)" }

    /// What the document of something told later is bound to when it is sealed.
    package static func context(told id: String) -> String { "fulfillment/\(id)" }

    /// A fulfillment, a return or a receipt, as it is stored.
    package struct Told: Hashable, Sendable {
        /// Its identifier in the whole database: of a fulfillment its payment's and its name there, and of others what they are
        /// before that.
        package let id: String
        /// The payment that it is about.
        package let payment: PaymentID
        /// Its document.
        package let sealed: CredentialTable.Sealed

        /// Makes one.
        package init(id: String, payment: PaymentID, sealed: CredentialTable.Sealed) {
            self.id = id
            self.payment = payment
            self.sealed = sealed
        }
    }

    /// Stores the document of an order's packages.
    package static func insert(
        _ sealed: CredentialTable.Sealed,
        of order: OrderID,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            "INSERT INTO wallet_details (order_id, key_id, sealed) VALUES (\(order), \(sealed.keyID), \(sealed.bytes))"
        )
    }

    /// Stores what was told, in place of what was told under the same identifier before.
    package static func save(
        _ told: Told,
        of order: OrderID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO fulfillment (id, payment_id, order_id, key_id, sealed, updated_at)
            VALUES (\(told.id), \(told.payment), \(order), \(told.sealed.keyID), \(told.sealed.bytes), \(now))
            ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed,
                updated_at = excluded.updated_at
            """
        )
    }

    /// The document of an order's packages, and what was told later in the order of its identifiers.
    package static func find(
        _ order: OrderID,
        in session: any Session
    ) throws(SQLError) -> (details: CredentialTable.Sealed?, told: [Told]) {
        let (details, rows) = try session.rows(
            "SELECT key_id, sealed FROM wallet_details WHERE order_id = \(order)",
            "SELECT id, payment_id, key_id, sealed FROM fulfillment WHERE order_id = \(order) ORDER BY id"
        )
        let told = try rows.map { row throws(SQLError) in
            Told(id: try row.text("id"), payment: try row.identifier("payment_id"), sealed: try sealed(row))
        }
        return (try details.first.map(sealed), told)
    }

    private static func sealed(_ row: Row) throws(SQLError) -> CredentialTable.Sealed {
        CredentialTable.Sealed(keyID: try row.text("key_id"), bytes: try row.bytes("sealed"))
    }
}
