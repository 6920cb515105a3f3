package import AdapterKit
package import Domain

/// What entries add up to in one currency.
package struct BankSum: Hashable, Sendable {
    /// How many credits there are.
    package let creditCount: Int
    /// How many debits there are.
    package let debitCount: Int
    /// The sum of the credits: not below zero.
    package let credits: SettlementAmount
    /// The sum of the debits: not above zero.
    package let debits: SettlementAmount
    /// Credits and debits together.
    package let net: SettlementAmount

    /// Makes a sum.
    package init(
        creditCount: Int,
        debitCount: Int,
        credits: SettlementAmount,
        debits: SettlementAmount,
        net: SettlementAmount
    ) {
        self.creditCount = creditCount
        self.debitCount = debitCount
        self.credits = credits
        self.debits = debits
        self.net = net
    }

    /// The currency.
    package var currency: Currency { net.currency }
}
