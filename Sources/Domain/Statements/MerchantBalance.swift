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
