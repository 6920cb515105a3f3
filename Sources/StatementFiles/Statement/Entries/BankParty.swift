/// A party of a transaction, as far as the bank names it.
package struct BankParty: Hashable, Sendable {
    /// Its name.
    package var name: String?
    /// Its account: an IBAN or another number.
    package var account: String?
    /// Its bank: a BIC, or a national number.
    package var agent: String?

    /// Makes a party.
    package init(name: String? = nil, account: String? = nil, agent: String? = nil) {
        self.name = name
        self.account = account
        self.agent = agent
    }

    /// Whether nothing is known of it.
    package var isEmpty: Bool { name == nil && account == nil && agent == nil }
}
