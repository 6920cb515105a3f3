package import Domain

/// What was ever debited to an account and credited to it in a currency, in minor units.
package struct AccountBalance: Hashable, Sendable {
    /// The account's path.
    package let account: String
    /// The currency.
    package let currency: Currency
    /// The sum of what was debited, at least 0.
    package let debits: Int64
    /// The sum of what was credited, at least 0.
    package let credits: Int64

    /// Makes a balance.
    package init(account: String, currency: Currency, debits: Int64, credits: Int64) {
        self.account = account
        self.currency = currency
        self.debits = debits
        self.credits = credits
    }

    /// Debits less credits.
    package var balance: Int64 { debits - credits }
}
