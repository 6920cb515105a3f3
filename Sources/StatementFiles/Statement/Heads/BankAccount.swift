package import Domain

/// The account that a statement is about.
package struct BankAccount: Hashable, Sendable {
    /// The IBAN, or whatever else the bank calls the account by.
    package var identifier: String
    /// Whether ``identifier`` stands where an IBAN does; MT940 does not say, and its form is looked at.
    package var isIBAN: Bool
    /// The account's currency, if the file names it.
    package var currency: Currency?
    /// The owner's name.
    package var owner: String?
    /// The BIC of the bank that keeps the account.
    package var servicer: String?

    /// Makes an account.
    package init(
        identifier: String,
        isIBAN: Bool,
        currency: Currency? = nil,
        owner: String? = nil,
        servicer: String? = nil
    ) {
        self.identifier = identifier
        self.isIBAN = isIBAN
        self.currency = currency
        self.owner = owner
        self.servicer = servicer
    }
}
