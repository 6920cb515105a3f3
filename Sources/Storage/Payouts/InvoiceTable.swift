package import Domain
package import SQL
import StrictJSON

/// Commission invoices, which are only ever added.
package enum InvoiceTable {
    /// Takes the next number of a marketplace; nobody else gets at it until the transaction ends, and none is left out
    /// if that fails.
    ///
    /// - Throws: `SQLError`.
    package static func nextNumber(of marketplace: String, in session: any Session) throws(SQLError) -> Int64 {
        let rows = try session.rows(
            """
            INSERT INTO invoice_series (marketplace, issued) VALUES (\(marketplace), 1)
            ON CONFLICT (marketplace) DO UPDATE SET issued = invoice_series.issued + 1 RETURNING issued
            """
        )
        guard let row = rows.first else { throw .unexpectedValue(column: "issued") }
        return try row.integer("issued")
    }

    /// Stores an invoice.
    ///
    /// - Throws: `SQLError`; where the time has one by now, `uniqueViolation`, which may surface with the commit.
    package static func insert(_ invoice: CommissionInvoice, in session: any Session) throws(SQLError) {
        let scope = invoice.scope
        let items = JSON.array(
            invoice.items.map { item in
                ["kind": .string(item.kind.rawValue), "net": .integer(item.net), "tax": .integer(item.tax)]
            }
        )
        try session.run(
            """
            INSERT INTO invoice (id, marketplace, merchant, currency, number, from_at, to_at, first_day, last_day,
                time_zone, issued_at, tax_basis_points, volume, items, issuer, recipient)
            VALUES (\(invoice.id), \(scope.marketplace), \(scope.merchant), \(scope.currency.code), \(invoice.number),
                \(scope.from), \(scope.to), \(invoice.days.lowerBound.description),
                \(invoice.days.upperBound.description), \(invoice.timeZone), \(invoice.issuedAt),
                \(invoice.taxBasisPoints), \(invoice.volume), \(items.text), \(invoice.issuer.document.text),
                \(invoice.recipient.document.text))
            """
        )
    }

    /// The invoices of a merchant and currency whose time touches another, the earliest first.
    package static func touching(
        _ scope: StatementScope,
        in session: any Session
    ) throws(SQLError) -> [CommissionInvoice] {
        try read(
            session.rows(
                """
                SELECT * FROM invoice WHERE marketplace = \(scope.marketplace) AND merchant = \(scope.merchant)
                    AND currency = \(scope.currency.code) AND from_at < \(scope.to) AND to_at > \(scope.from)
                ORDER BY from_at
                """
            )
        )
    }

    /// The invoice with that id, if it is the marketplace's.
    package static func find(
        _ id: InvoiceID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> CommissionInvoice? {
        try read(session.rows("SELECT * FROM invoice WHERE id = \(id) AND marketplace = \(marketplace)")).first
    }

    /// The invoices of a merchant, the newest first, at most `limit`, behind the one with a number.
    package static func list(
        of merchant: MerchantID,
        marketplace: String,
        before number: Int64?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [CommissionInvoice] {
        try read(
            session.rows(
                """
                SELECT * FROM invoice WHERE marketplace = \(marketplace) AND merchant = \(merchant)
                    AND number < \(number ?? Int64.max) ORDER BY number DESC LIMIT \(limit)
                """
            )
        )
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [CommissionInvoice] {
        var invoices: [CommissionInvoice] = []
        for row in rows { invoices.append(try invoice(row)) }
        return invoices
    }

    private static func invoice(_ row: Row) throws(SQLError) -> CommissionInvoice {
        let scope = StatementScope(
            marketplace: try row.text("marketplace"),
            merchant: try row.identifier("merchant"),
            currency: try row.currency("currency"),
            from: try row.time("from_at"),
            to: try row.time("to_at")
        )
        guard let scope, let first = CalendarDay(try row.text("first_day")),
            let last = CalendarDay(try row.text("last_day")), first <= last
        else { throw .unexpectedValue(column: "first_day") }
        return CommissionInvoice(
            id: try row.identifier("id"),
            scope: scope,
            number: try row.integer("number"),
            days: first...last,
            timeZone: try row.text("time_zone"),
            issuedAt: try row.time("issued_at"),
            issuer: try party(row, "issuer"),
            recipient: try party(row, "recipient"),
            taxBasisPoints: try row.integer("tax_basis_points"),
            volume: try row.integer("volume"),
            items: try items(row)
        )
    }

    private static func party(_ row: Row, _ column: String) throws(SQLError) -> BusinessProfile.LegalEntity {
        guard let document = try? JSON.parse(text: try row.text(column)) else {
            throw .unexpectedValue(column: column)
        }
        return try BusinessProfile.LegalEntity(document: document, column: column)
    }

    private static func items(_ row: Row) throws(SQLError) -> [CommissionInvoice.Item] {
        guard let all = (try? JSON.parse(text: try row.text("items")))?.arrayValue else {
            throw .unexpectedValue(column: "items")
        }
        var items: [CommissionInvoice.Item] = []
        for json in all {
            guard let kind = json["kind"]?.stringValue.flatMap(CommissionInvoice.Item.Kind.init(rawValue:)),
                let net = json["net"]?.integerValue, let tax = json["tax"]?.integerValue
            else { throw .unexpectedValue(column: "items") }
            items.append(CommissionInvoice.Item(kind: kind, net: net, tax: tax))
        }
        return items
    }
}
