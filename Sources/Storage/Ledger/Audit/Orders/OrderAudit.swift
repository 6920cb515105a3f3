import Domain
import SQL

/// Holds orders to their rules: what is stored of each, in every table, against what follows from its operations.
struct OrderAudit {
    private static let pageSize = 200

    let audit: LedgerAudit

    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        var ids: [OrderID] = []
        for row in try session.rows(question(after: place)) { ids.append(try row.identifier("id")) }
        var page = LedgerAudit.Page()
        page.count = ids.count
        guard let last = ids.last else { return page }
        let (orders, unreadable) = try load(ids, in: session)
        page.findings = unreadable
        let books = try OrderBooks.read(orders, in: session)
        for one in books { page.findings += one.findings }
        if ids.count == Self.pageSize {
            page.next = LedgerAudit.Place(at: Timestamp(microseconds: 0), id: last.text)
        }
        return page
    }

    private func question(after place: LedgerAudit.Place?) -> SQL {
        let period: SQL =
            audit.period == LedgerAudit.allTime
            ? ""
            : """
            AND ((\(audit.isIn("o.created_at"))) OR EXISTS (
                SELECT 1 FROM journal_entry AS e WHERE e.order_id = o.id AND \(audit.isIn("e.at"))))
            """
        return """
            SELECT o.id FROM orders AS o WHERE o.marketplace = \(audit.marketplace) AND o.id > \(place?.id ?? "")
                \(period)
            ORDER BY o.id LIMIT \(Self.pageSize)
            """
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
