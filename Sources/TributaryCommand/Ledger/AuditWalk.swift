import SQL
import Storage

/// Goes through parts of the books page by page, with a bar for each.
struct AuditWalk {
    let audit: LedgerAudit
    /// What each part's bar is called.
    let name: (LedgerAudit.Part) -> String

    /// Hands over what breaks a rule, page by page, as far as it is wanted.
    ///
    /// - Parameters:
    ///   - parts: the parts, in this order.
    ///   - database: where the books are.
    ///   - take: is given what a page has to tell; false says that the rest of the part is not wanted.
    /// - Throws: `SQLError`.
    func go(
        through parts: [LedgerAudit.Part],
        _ database: any Database,
        _ take: ([LedgerFinding]) -> Bool
    ) async throws {
        for part in parts {
            var bar = ProgressBar(name(part))
            defer { bar.hide() }
            if bar.isShown { bar.total = try await database.read { [audit] in try audit.size(of: part, in: $0) } }
            var place: LedgerAudit.Place?
            var isWanted = true
            repeat {
                let page = try await database.read { [audit, place] session in
                    try audit.page(part, after: place, in: session)
                }
                if !page.findings.isEmpty {
                    bar.hide()
                    isWanted = take(page.findings)
                }
                bar.advance(by: page.count)
                place = page.next
            } while place != nil && isWanted
        }
    }
}
