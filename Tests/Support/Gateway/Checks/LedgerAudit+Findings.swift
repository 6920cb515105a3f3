package import SQL
package import Storage

extension LedgerAudit {
    /// What breaks a rule, in every part of the books.
    ///
    /// - Throws: `SQLError`.
    package func findings(in session: any Session) throws -> [LedgerFinding] {
        var findings: [LedgerFinding] = []
        for part in Part.allCases {
            var place: Place?
            repeat {
                let page = try page(part, after: place, in: session)
                findings += page.findings
                place = page.next
            } while place != nil
        }
        return findings
    }
}
