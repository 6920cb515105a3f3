import Domain
import SQL

/// Holds orders to their rules: what is stored of each, in every table, against what follows from its operations.
struct OrderAudit {
    private static let pageSize = 200

    let audit: LedgerAudit

    /// Goes through the orders of the period by identifier; then, for a period, through what was posted in it about
    /// orders from before, by the moment of posting.
    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        if let place, place.at > Self.byIdentifier { return try pageOfEntries(after: place, in: session) }
        var ids: [OrderID] = []
        for row in try session.rows(placed(after: place)) { ids.append(try row.identifier("id")) }
        var page = try page(of: ids, in: session)
        if ids.count == Self.pageSize, let last = ids.last {
            page.next = LedgerAudit.Place(at: Self.byIdentifier, id: last.text)
        } else if audit.period != LedgerAudit.allTime {
            page.next = LedgerAudit.Place(at: max(audit.period.lowerBound, Timestamp(microseconds: 1)), id: "")
        }
        return page
    }

    /// A place among orders, not among entries.
    private static let byIdentifier = Timestamp(microseconds: 0)

    private func page(of ids: [OrderID], in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        var page = LedgerAudit.Page()
        page.count = ids.count
        guard !ids.isEmpty else { return page }
        let (orders, unreadable) = try load(ids, in: session)
        page.findings = unreadable
        let books = try OrderBooks.read(orders, in: session)
        for one in books { page.findings += one.findings }
        return page
    }

    /// Identifiers begin with the moment of placing, in milliseconds (UUIDv7), so that those of a period are together.
    private func placed(after place: LedgerAudit.Place?) -> SQL {
        let isPlaced: SQL = audit.period == LedgerAudit.allTime ? "" : "AND \(audit.isIn("o.created_at"))"
        return """
            SELECT o.id FROM orders AS o WHERE o.marketplace = \(audit.marketplace) AND o.id > \(place?.id ?? first)
                \(isPlaced)
            ORDER BY o.id LIMIT \(Self.pageSize)
            """
    }

    /// What no order of the period comes before; clocks of instances may differ by a minute.
    private var first: String {
        let milliseconds = max(0, audit.period.lowerBound.microseconds / 1000 - 60_000)
        return OrderID(bits: UInt128(milliseconds) << 80).text
    }

    private func pageOfEntries(
        after place: LedgerAudit.Place,
        in session: any Session
    ) throws(SQLError) -> LedgerAudit.Page {
        let rows = try session.rows(
            """
            SELECT e.at, e.id, o.id AS order_id FROM (
                SELECT * FROM journal_entry WHERE marketplace = \(audit.marketplace) AND \(audit.isIn("at"))
                    AND (at, id) > (\(place.at), \(place.id)) ORDER BY at, id LIMIT \(Self.pageSize)
            ) AS e LEFT JOIN orders AS o ON o.id = e.order_id AND NOT (\(audit.isIn("o.created_at")))
            ORDER BY e.at, e.id
            """
        )
        var ids: Set<OrderID> = []
        for row in rows { if let id: OrderID = try row.optionalIdentifier("order_id") { ids.insert(id) } }
        var page = try page(of: ids.sorted(), in: session)
        if rows.count == Self.pageSize, let last = rows.last {
            page.next = LedgerAudit.Place(at: try last.time("at"), id: try last.text("id"))
        }
        return page
    }

    /// The orders that can be read, and a finding for each that cannot.
    private func load(
        _ ids: [OrderID],
        in session: any Session
    ) throws(SQLError) -> ([Order], [LedgerFinding]) {
        var (orders, findings): ([Order], [LedgerFinding]) = ([], [])
        do {
            orders = try OrderReader.load(ids, in: session)
        } catch .unexpectedValue {
            for id in ids {
                do {
                    orders += try OrderReader.load([id], in: session)
                } catch .unexpectedValue(let column) {
                    findings.append(Self.unreadable(id, column))
                }
            }
        }
        let torn = orders.filter { !$0.isWhole }
        findings += torn.map { Self.unreadable($0.id, "its payments' attempts or authorizations") }
        return (orders.filter(\.isWhole), findings)
    }

    private static func unreadable(_ id: OrderID, _ what: String) -> LedgerFinding {
        LedgerFinding(.orderIsReadable, id.text, expected: "an order as it was stored", found: "unreadable: \(what)")
    }
}

extension Order {
    /// Whether it has payments, each with attempts, each of which begins with an authorization.
    fileprivate var isWhole: Bool {
        !payments.isEmpty
            && payments.allSatisfy { payment in
                !payment.attempts.isEmpty && payment.attempts.allSatisfy { $0.operations.first?.kind == .authorize }
            }
    }
}
