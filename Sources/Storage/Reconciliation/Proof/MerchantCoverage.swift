import Domain
import SQL

/// Which payouts to merchants cover an order's proceeds.
///
/// A payout is of a balance, not of orders; what a merchant earned first is taken to be paid first. An order's share is
/// the stretch of all the merchant ever earned in which its own first entry lies.
enum MerchantCoverage {
    /// The payouts that cover what entries gave to merchants, by merchant and time.
    static func of(
        _ entries: [OrderProof.Entry],
        _ currency: Currency,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [OrderProof.Coverage] {
        var coverage: [OrderProof.Coverage] = []
        for earned in Self.earned(in: entries) {
            let answers = try session.rows([
                before(earned, currency, marketplace, session.dialect),
                payouts(earned.merchant, currency, marketplace),
            ])
            let begin = max(0, try answers[0].first?.integer("earned") ?? 0)
            let end = begin + earned.amount
            var paid: Int64 = 0
            for row in answers[1] {
                let amount = try row.integer("amount")
                let covered = min(end, paid + amount) - max(begin, paid)
                paid += amount
                guard covered > 0 else { continue }
                coverage.append(
                    OrderProof.Coverage(
                        merchant: earned.merchant,
                        payout: try row.identifier("id"),
                        reference: try row.text("reference"),
                        paidAt: try row.time("paid_at"),
                        amount: amount,
                        covered: covered
                    )
                )
            }
        }
        return coverage
    }

    /// What one merchant got of an order, net, and its first entry.
    private struct Earned {
        let merchant: MerchantID
        let first: OrderProof.Entry
        var amount: Int64
    }

    private static func earned(in entries: [OrderProof.Entry]) -> [Earned] {
        var earned: [MerchantID: Earned] = [:]
        for entry in entries {
            for posting in entry.postings {
                if case .payable(let merchant) = posting.credit {
                    earned[merchant, default: Earned(merchant: merchant, first: entry, amount: 0)].amount +=
                        posting.amount
                }
                if case .payable(let merchant) = posting.debit {
                    earned[merchant, default: Earned(merchant: merchant, first: entry, amount: 0)].amount -=
                        posting.amount
                }
            }
        }
        return earned.values.filter { $0.amount > 0 }.sorted { $0.merchant < $1.merchant }
    }

    /// What the merchant had earned, net of all but payouts, before the order's first entry.
    private static func before(
        _ earned: Earned,
        _ currency: Currency,
        _ marketplace: String,
        _ dialect: Dialect
    ) -> SQL {
        let account = Account.payable(merchant: earned.merchant).path
        return """
            SELECT CAST(COALESCE(SUM(CASE WHEN p.credit = CAST(\(account) AS TEXT) THEN p.amount
                WHEN p.debit = CAST(\(account) AS TEXT) THEN 0 - p.amount ELSE 0 END), 0)
                AS \(unsafeText: dialect.integerType)) AS earned
            FROM journal_entry AS e JOIN posting AS p ON p.entry_id = e.id
            WHERE e.marketplace = \(marketplace) AND e.merchant = \(earned.merchant)
                AND e.currency = \(currency.code) AND (e.at, e.id) < (\(earned.first.at), \(earned.first.id))
                AND e.kind NOT IN ('payout', 'payout_reversal')
            """
    }

    private static func payouts(_ merchant: MerchantID, _ currency: Currency, _ marketplace: String) -> SQL {
        """
        SELECT id, reference, paid_at, amount FROM payout
        WHERE marketplace = \(marketplace) AND merchant = \(merchant) AND currency = \(currency.code)
            AND state = 'paid' ORDER BY recorded_at, id
        """
    }
}
