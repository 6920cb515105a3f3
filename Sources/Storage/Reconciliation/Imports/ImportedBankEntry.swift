package import Domain

/// An entry of a bank's statement, flat, as it is stored.
package struct ImportedBankEntry: Hashable, Sendable {
    /// The member of an archive, from 0.
    package var member: Int
    /// The entry, counted as its reader counts.
    package var row: Int
    /// 128 bits that tell it from entries of other contents.
    package var hash: [UInt8]
    /// The bank account, as the statement names it.
    package var account: String
    /// The amount: above zero for credits.
    package var amount: SettlementAmount
    /// When it was booked, `YYYY-MM-DD`.
    package var bookedOn: String?
    /// When it counts, `YYYY-MM-DD`.
    package var valuedOn: String?
    /// The reference that the payer gave it end to end.
    package var reference: String?
    /// The bank's own name of it.
    package var bankReference: String?
    /// What is written about it.
    package var details: String?

    /// Makes an entry.
    package init(
        member: Int = 0,
        row: Int,
        hash: [UInt8],
        account: String,
        amount: SettlementAmount,
        bookedOn: String? = nil,
        valuedOn: String? = nil,
        reference: String? = nil,
        bankReference: String? = nil,
        details: String? = nil
    ) {
        self.member = member
        self.row = row
        self.hash = hash
        self.account = account
        self.amount = amount
        self.bookedOn = bookedOn
        self.valuedOn = valuedOn
        self.reference = reference
        self.bankReference = bankReference
        self.details = details
    }
}
