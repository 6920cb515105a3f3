/// Where a bank's table has what; nil for what it does not have.
package struct BankTableColumns: Hashable, Sendable {
    /// The booking date; this or ``valueOn`` must be there.
    package var bookedOn: BankTableColumn?
    /// The value date.
    package var valueOn: BankTableColumn?
    /// The bank's name of the entry.
    package var accountServicerReference: BankTableColumn?
    /// The end-to-end reference.
    package var endToEnd: BankTableColumn?
    /// Another reference, for the account's owner.
    package var ownerReference: BankTableColumn?
    /// The other party's name.
    package var counterpartyName: BankTableColumn?
    /// The other party's account.
    package var counterpartyAccount: BankTableColumn?
    /// The other party's bank.
    package var counterpartyAgent: BankTableColumn?
    /// Remittance information: the columns with text, in order.
    package var remittance: [BankTableColumn]
    /// The bank's word for the kind of entry.
    package var type: BankTableColumn?

    /// Makes a list of columns.
    package init(
        bookedOn: BankTableColumn? = nil,
        valueOn: BankTableColumn? = nil,
        accountServicerReference: BankTableColumn? = nil,
        endToEnd: BankTableColumn? = nil,
        ownerReference: BankTableColumn? = nil,
        counterpartyName: BankTableColumn? = nil,
        counterpartyAccount: BankTableColumn? = nil,
        counterpartyAgent: BankTableColumn? = nil,
        remittance: [BankTableColumn] = [],
        type: BankTableColumn? = nil
    ) {
        self.bookedOn = bookedOn
        self.valueOn = valueOn
        self.accountServicerReference = accountServicerReference
        self.endToEnd = endToEnd
        self.ownerReference = ownerReference
        self.counterpartyName = counterpartyName
        self.counterpartyAccount = counterpartyAccount
        self.counterpartyAgent = counterpartyAgent
        self.remittance = remittance
        self.type = type
    }
}
