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

    fileprivate static func unreadable(_ id: OrderID, _ what: String) -> LedgerFinding {
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

/// One order and all that is stored about it beside its operations.
struct OrderBooks {
    /// What is cached of a payment.
    struct Cached: Hashable {
        let status: String
        let authorized: Int64
        let captured: Int64
        let refunded: Int64
    }

    /// A posting of an entry about the order.
    struct Posted {
        let dispute: String?
        let debit: String
        let credit: String
        let amount: Int64
    }

    /// The callbacks about the order, or about a payment of it, at one endpoint.
    struct Told {
        let endpoint: String
        /// The merchant whose endpoint it is; nil for the marketplace's.
        let merchant: String?
        let payment: String?
        let count: Int64
        let distinct: Int64
        let first: Int64
        let last: Int64
    }

    let order: Order
    var status = ""
    var payable: Int64 = 0
    var payments: [PaymentID: Cached] = [:]
    /// The kinds of the entries about each operation, by entry.
    var entries: [String: [String: String]] = [:]
    var postings: [Posted] = []
    /// What kinds of facts were heard of each operation.
    var facts: [String: Set<String>] = [:]
    /// Whether the documents of all its steps could be read.
    var isHistoryReadable = true
    var eventCount: Int64 = 0
    /// Whether each event has the number behind that of the one before it.
    var isNumbered = true
    var firstEvent: Int64 = 0
    var lastEvent: Int64 = 0
    /// The type of the last event that tells a decision.
    var toldDecision: String?
    var told: [Told] = []

    /// What is wrong with it.
    var findings: [LedgerFinding] {
        ruleFindings + cacheFindings + effectFindings + balanceFindings
            + (isHistoryReadable ? historyFindings : [OrderAudit.unreadable(order.id, "order_step.document")])
    }

    /// A finding about the order, if what is found is not what is expected.
    func compare(
        _ rule: LedgerRule,
        _ subject: String? = nil,
        expected: String,
        found: String
    ) -> [LedgerFinding] {
        expected == found ? [] : [LedgerFinding(rule, subject ?? order.id.text, expected: expected, found: found)]
    }
}

/// Reading all that is stored about orders, in one round trip.
extension OrderBooks {
    static func read(_ orders: [Order], in session: any Session) throws(SQLError) -> [OrderBooks] {
        guard !orders.isEmpty else { return [] }
        let queries = Queries(orders.map(\.id.sqlValue), session.dialect)
        let (orderRows, payments, entries, steps, callbacks) = try session.rows(
            queries.orders,
            queries.payments,
            queries.entries,
            queries.steps,
            queries.callbacks
        )
        var books = Dictionary(uniqueKeysWithValues: orders.map { ($0.id.text, OrderBooks(order: $0)) })
        for row in orderRows {
            let id = try row.text("id")
            books[id]?.status = try row.text("status")
            books[id]?.payable = try row.integer("payable")
        }
        for row in payments {
            books[try row.text("order_id")]?.payments[try row.identifier("id")] = Cached(
                status: try row.text("status"),
                authorized: try row.integer("authorized"),
                captured: try row.integer("captured"),
                refunded: try row.integer("refunded")
            )
        }
        for row in entries { try add(journal: row, to: &books) }
        for row in steps {
            let id = try row.text("order_id")
            do {
                books[id]?.add(try OrderSteps.read(row, of: row.identifier("order_id")))
            } catch .unexpectedValue {
                books[id]?.isHistoryReadable = false
            }
        }
        for row in callbacks { try add(callbacks: row, to: &books) }
        return orders.compactMap { books[$0.id.text] }
    }

    /// What is asked about orders, in the order of their rows' reading.
    private struct Queries {
        let orders: SQL
        let payments: SQL
        let entries: SQL
        let steps: SQL
        let callbacks: SQL

        init(_ ids: [SQLValue], _ dialect: Dialect) {
            func number(_ expression: SQL, _ name: SQL) -> SQL {
                "CAST(\(expression) AS \(unsafeText: dialect.integerType)) AS \(name)"
            }
            orders = "SELECT id, status, payable FROM orders WHERE id IN (\(list: ids))"
            payments =
                "SELECT id, order_id, status, authorized, captured, refunded FROM payment WHERE order_id IN (\(list: ids))"
            entries =
                """
                SELECT e.order_id, e.id, e.kind, e.operation_id, e.dispute_id, p.debit, p.credit, p.amount
                FROM journal_entry AS e \(PostingRows.leftJoin(dialect)) WHERE e.order_id IN (\(list: ids))
                """
            steps =
                """
                SELECT order_id, document FROM order_step WHERE order_id IN (\(list: ids)) ORDER BY order_id, version
                """
            callbacks =
                """
                SELECT order_id, endpoint_id, merchant, CASE WHEN merchant = '' THEN '' ELSE payment_id END AS payment,
                    \(number("COUNT(*)", "count")), \(number("COUNT(DISTINCT sequence)", "numbers")),
                    \(number("MIN(sequence)", "first")), \(number("MAX(sequence)", "last"))
                FROM callback WHERE order_id IN (\(list: ids))
                GROUP BY order_id, endpoint_id, merchant, CASE WHEN merchant = '' THEN '' ELSE payment_id END
                """
        }
    }

    private static let decisions: Set<String> = ["order.accepted", "order.refused", "order.canceled"]

    private mutating func add(_ step: OrderSteps.Entry) {
        for fact in step.facts { facts[fact.operation.text, default: []].insert(fact.kind) }
        for event in step.events {
            if firstEvent == 0 { firstEvent = event.sequence }
            if event.sequence != lastEvent + 1 { isNumbered = false }
            eventCount += 1
            lastEvent = event.sequence
            if Self.decisions.contains(event.type) { toldDecision = event.type }
        }
    }

    private static func add(journal row: Row, to books: inout [String: OrderBooks]) throws(SQLError) {
        let order = try row.text("order_id")
        if let operation = try row.optionalText("operation_id") {
            books[order]?.entries[operation, default: [:]][try row.text("id")] = try row.text("kind")
        }
        guard let debit = try row.optionalText("debit") else { return }
        books[order]?.postings.append(
            Posted(
                dispute: try row.optionalText("dispute_id"),
                debit: debit,
                credit: try row.text("credit"),
                amount: try row.integer("amount")
            )
        )
    }

    private static func add(callbacks row: Row, to books: inout [String: OrderBooks]) throws(SQLError) {
        let merchant = try row.text("merchant")
        books[try row.text("order_id")]?.told.append(
            Told(
                endpoint: try row.text("endpoint_id"),
                merchant: merchant.isEmpty ? nil : merchant,
                payment: try row.optionalText("payment"),
                count: try row.integer("count"),
                distinct: try row.integer("numbers"),
                first: try row.integer("first"),
                last: try row.integer("last")
            )
        )
    }
}
