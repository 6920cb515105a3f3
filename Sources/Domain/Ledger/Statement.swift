/// What a merchant is owed, and why, over a time: the journal's postings about it, summed up.
///
/// A posting counts when it was posted, so a time that is over does not change any more.
///
/// - Invariant: the closing balance is the opening balance and all that moved it.
package struct Statement: Hashable, Sendable {
    /// Whose, in what currency, over what time.
    package let scope: StatementScope
    /// What was owed to the merchant as the time began, in minor units; below zero, the merchant owed it.
    package let opening: Int64
    /// What the time brought.
    package let amounts: StatementAmounts
    /// What is owed to the merchant as the time ends; below zero, the merchant owes it.
    package let closing: Int64

    /// Makes a statement of what was read, each by itself.
    ///
    /// - Throws: ``StatementMismatch`` if it does not add up.
    package init(
        _ scope: StatementScope,
        opening: Int64,
        amounts: StatementAmounts,
        closing: Int64
    ) throws(StatementMismatch) {
        try StatementMismatch.check(opening: opening, net: amounts.net, closing: closing)
        self.scope = scope
        self.opening = opening
        self.amounts = amounts
        self.closing = closing
    }
}

/// Whose statement, in what currency, over what time.
package struct StatementScope: Hashable, Sendable {
    /// The marketplace.
    package let marketplace: String
    /// The merchant.
    package let merchant: MerchantID
    /// The currency.
    package let currency: Currency
    /// The first moment.
    package let from: Timestamp
    /// The first moment that is not in it any more.
    package let to: Timestamp

    /// Makes a scope; nil if no moment is in it.
    package init?(marketplace: String, merchant: MerchantID, currency: Currency, from: Timestamp, to: Timestamp) {
        guard from < to else { return nil }
        self.marketplace = marketplace
        self.merchant = merchant
        self.currency = currency
        self.from = from
        self.to = to
    }
}

/// A statement that does not add up: our books are wrong, and it is not shown.
package struct StatementMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The opening balance in minor units.
    package let opening: Int64
    /// What the lines come to.
    package let net: Int64
    /// The closing balance, by the payable account.
    package let closing: Int64

    /// Makes a mismatch.
    package init(opening: Int64, net: Int64, closing: Int64) {
        self.opening = opening
        self.net = net
        self.closing = closing
    }

    /// The sentence for whoever has to look into it.
    package var description: String {
        "the statement does not add up: \(opening) and lines of \(net) are not \(closing), in minor units"
    }

    /// Holds a closing balance to the opening one and the lines between them.
    ///
    /// - Throws: itself, if they do not fit.
    package static func check(opening: Int64, net: Int64, closing: Int64) throws(StatementMismatch) {
        let (sum, overflow) = opening.addingReportingOverflow(net)
        guard !overflow, sum == closing else {
            throw StatementMismatch(opening: opening, net: net, closing: closing)
        }
    }
}

/// What stands between the marketplace and a merchant in a currency, in minor units.
package struct MerchantBalance: Hashable, Sendable {
    /// The merchant.
    package let merchant: MerchantID
    /// The merchant's stable name.
    package let externalIdentifier: String
    /// The currency.
    package let currency: Currency
    /// Owed to the merchant; below zero, the merchant owes it.
    package let payable: Int64
    /// Invoiced commission that the merchant owes.
    ///
    /// Refunds take from it; invoices are paid elsewhere, which takes nothing from it here.
    package let receivable: Int64

    /// Makes a balance.
    package init(
        merchant: MerchantID,
        externalIdentifier: String,
        currency: Currency,
        payable: Int64,
        receivable: Int64
    ) {
        self.merchant = merchant
        self.externalIdentifier = externalIdentifier
        self.currency = currency
        self.payable = payable
        self.receivable = receivable
    }
}
