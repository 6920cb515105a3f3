import Domain
import SQL

/// The rows of the journal: entries and their postings.
enum JournalRows {
    /// Adds entries; none of them may be there yet.
    ///
    /// - Parameters:
    ///   - entries: the entries.
    ///   - order: the order they are about; nil for payouts.
    ///   - marketplace: whose books they are in.
    ///   - currency: what the postings are in.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    static func insert(
        _ entries: [JournalEntry],
        of order: OrderID?,
        marketplace: String,
        currency: Currency,
        in session: any Session
    ) throws(SQLError) {
        guard !entries.isEmpty else { return }
        let rows: [[SQLValue]] = entries.map { entry in
            [
                entry.id.sqlValue, marketplace.sqlValue, entry.merchant.sqlValue, order.sqlValue,
                entry.payment.sqlValue, entry.operation.sqlValue, entry.dispute.sqlValue, entry.payout.sqlValue,
                entry.kind.rawValue.sqlValue, currency.code.sqlValue, entry.at.sqlValue,
            ]
        }
        let postings: [[SQLValue]] = entries.flatMap { entry in
            entry.postings.enumerated().map { position, posting in
                [
                    entry.id.sqlValue, position.sqlValue, marketplace.sqlValue, posting.debit.path.sqlValue,
                    posting.credit.path.sqlValue, currency.code.sqlValue, posting.amount.sqlValue,
                ]
            }
        }
        try session.run(
            """
            INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id, dispute_id,
                payout_id, kind, currency, at)
            VALUES \(rows: rows)
            """
        )
        try session.run(
            """
            INSERT INTO posting (entry_id, position, marketplace, debit, credit, currency, amount)
            VALUES \(rows: postings)
            """
        )
    }
}
