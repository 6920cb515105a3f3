import Domain
import SQL

/// Holds merchants' statements to their rule: each adds up, and over all time comes to the payable account.
struct StatementAudit {
    /// How many merchants are looked at in a page; what is not rolled up is read once for each page.
    private static let pageSize = 200

    let audit: LedgerAudit

    func page(after place: LedgerAudit.Place?, in session: any Session) throws(SQLError) -> LedgerAudit.Page {
        let merchants = try session.rows(
            """
            SELECT id FROM merchant WHERE marketplace = \(audit.marketplace) AND id > \(place?.id ?? "")
            ORDER BY id LIMIT \(Self.pageSize)
            """
        )
        var page = LedgerAudit.Page()
        page.count = merchants.count
        guard let last = merchants.last else { return page }
        var payable: [String: Int64] = [:]
        if audit.period.upperBound == LedgerAudit.allTime.upperBound {
            for balance in try LedgerBalances.all(of: audit.marketplace, in: session) {
                payable["\(balance.account) \(balance.currency.code)"] = -balance.balance
            }
        }
        for row in merchants {
            let merchant: MerchantID = try row.identifier("id")
            let currencies = try session.rows(
                """
                SELECT DISTINCT currency FROM journal_entry
                WHERE marketplace = \(audit.marketplace) AND merchant = \(merchant)
                """
            )
            for row in currencies {
                page.findings += try findings(merchant, try row.currency("currency"), payable, in: session)
            }
        }
        if merchants.count == Self.pageSize {
            page.next = LedgerAudit.Place(at: Timestamp(microseconds: 0), id: try last.text("id"))
        }
        return page
    }

    private func findings(
        _ merchant: MerchantID,
        _ currency: Currency,
        _ payable: [String: Int64],
        in session: any Session
    ) throws(SQLError) -> [LedgerFinding] {
        let scope = StatementScope(
            marketplace: audit.marketplace,
            merchant: merchant,
            currency: currency,
            from: audit.period.lowerBound,
            to: audit.period.upperBound
        )
        guard let scope else { return [] }
        let sums = try StatementTable.sums(scope, in: session)
        let subject = "\(merchant) \(currency)"
        var findings: [LedgerFinding] = []
        if sums.opening + sums.amounts.net != sums.closing {
            let expected = "\(sums.opening) and lines of \(sums.amounts.net)"
            findings.append(LedgerFinding(.statementAddsUp, subject, expected: expected, found: "\(sums.closing)"))
        }
        let account = "\(Account.payable(merchant: merchant).path) \(currency.code)"
        if let held = payable[account], held != sums.closing {
            findings.append(
                LedgerFinding(
                    .statementAddsUp,
                    subject,
                    expected: "\(held) on the payable account",
                    found: "\(sums.closing)"
                )
            )
        }
        return findings
    }
}
