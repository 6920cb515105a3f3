package import Domain
package import SQL

/// Payment requests: what a checkout had ready before its payment sheet opened.
package enum PaymentRequestTable {
    /// A stored request.
    package struct Entry: Hashable, Sendable {
        /// Its identifier.
        package let id: PaymentRequestID
        /// The marketplace.
        package let marketplace: String
        /// What was asked for, as JSON text.
        package var document: String
        /// The bytes, as text, whose hash a token of the sheet carries as `applicationData`.
        package let applicationData: String
        /// Counts up from 1.
        package var revision: Int64
        /// Whether it was stored with contexts.
        package let hasContexts: Bool
        /// The order that used it up.
        package let usedBy: OrderID?
        /// When it was stored.
        package let createdAt: Timestamp
        /// When it can be used no more.
        package let expiresAt: Timestamp

        /// Makes the first revision of a request.
        package init(
            id: PaymentRequestID,
            marketplace: String,
            document: String,
            applicationData: String,
            revision: Int64 = 1,
            hasContexts: Bool,
            usedBy: OrderID? = nil,
            createdAt: Timestamp,
            expiresAt: Timestamp
        ) {
            self.id = id
            self.marketplace = marketplace
            self.document = document
            self.applicationData = applicationData
            self.revision = revision
            self.hasContexts = hasContexts
            self.usedBy = usedBy
            self.createdAt = createdAt
            self.expiresAt = expiresAt
        }
    }

    /// Who the sheet is for: the marketplace's name, and the Apple merchant identifier of its own merchant.
    package struct Seller: Hashable, Sendable {
        /// The name, for the total's label.
        package let name: String
        /// The identifier, if the merchant of kind `marketplace` has one.
        package let merchantIdentifier: String?
    }

    /// Stores a new request.
    package static func insert(_ entry: Entry, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO payment_request (id, marketplace, document, nonce, revision, has_contexts, created_at,
                expires_at)
            VALUES (\(entry.id), \(entry.marketplace), \(entry.document), \(entry.applicationData),
                \(entry.revision), \(entry.hasContexts ? 1 : 0), \(entry.createdAt), \(entry.expiresAt))
            """
        )
    }

    /// The marketplace's request with that id, its row locked until the transaction ends.
    package static func lock(
        _ id: PaymentRequestID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Entry? {
        let rows = try session.rows(
            """
            SELECT * FROM payment_request WHERE id = \(id) AND marketplace = \(marketplace)
            \(unsafeText: session.dialect.lock)
            """
        )
        return try rows.first.map { row throws(SQLError) in try read(row) }
    }

    /// The statement that ``read(_:)`` needs the answer of, for the marketplace's request with that id.
    package static func find(_ id: PaymentRequestID, of marketplace: String) -> SQL {
        "SELECT * FROM payment_request WHERE id = \(id) AND marketplace = \(marketplace)"
    }

    /// Makes requests of the answer.
    package static func read(_ rows: [Row]) throws(SQLError) -> [Entry] {
        try rows.map { row throws(SQLError) in try read(row) }
    }

    /// Writes the document and the revision of a request that ``lock(_:of:in:)`` answered.
    package static func revise(_ entry: Entry, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE payment_request SET document = \(entry.document), revision = \(entry.revision)
            WHERE id = \(entry.id)
            """
        )
    }

    /// Uses a request up for an order; false if there is none that is neither used nor past its time.
    package static func claim(
        _ id: PaymentRequestID,
        of marketplace: String,
        for order: OrderID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE payment_request SET used_by = \(order)
            WHERE id = \(id) AND marketplace = \(marketplace) AND used_by IS NULL AND expires_at > \(now)
            """
        ) == 1
    }

    /// Who the sheet is for; nil for an unknown marketplace.
    package static func seller(of marketplace: String, in session: any Session) throws(SQLError) -> Seller? {
        let rows = try session.rows(
            """
            SELECT name, (
                SELECT MIN(merchant_identifier) FROM merchant
                WHERE merchant.marketplace = \(marketplace) AND merchant.kind = 'marketplace'
            ) AS merchant_identifier FROM marketplace WHERE id = \(marketplace)
            """
        )
        return try rows.first.map { row throws(SQLError) in
            Seller(name: try row.text("name"), merchantIdentifier: try row.optionalText("merchant_identifier"))
        }
    }

    private static func read(_ row: Row) throws(SQLError) -> Entry {
        Entry(
            id: try row.identifier("id"),
            marketplace: try row.text("marketplace"),
            document: try row.text("document"),
            applicationData: try row.text("nonce"),
            revision: try row.integer("revision"),
            hasContexts: try row.integer("has_contexts") == 1,
            usedBy: try row.optionalIdentifier("used_by"),
            createdAt: try row.time("created_at"),
            expiresAt: try row.time("expires_at")
        )
    }
}
