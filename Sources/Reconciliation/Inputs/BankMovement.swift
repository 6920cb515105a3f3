package import Domain

/// An entry of a bank's statement, as far as it is compared.
package struct BankMovement: Hashable, Sendable {
    /// Where it stands.
    package var place: LinePlace
    /// The bank account, as the statement names it.
    package var account: String
    /// The currency.
    package var currency: Currency
    /// In minor units, as it changes the account's balance: credits above zero.
    package var amount: Int64
    /// The day it was booked.
    package var day: CalendarDay
    /// The references that the statement tells apart: end to end, instruction, the bank's own.
    package var references: [String]
    /// What else it says.
    package var text: String

    /// Makes an entry.
    package init(
        place: LinePlace,
        account: String,
        currency: Currency,
        amount: Int64,
        day: CalendarDay,
        references: [String] = [],
        text: String = ""
    ) {
        self.place = place
        self.account = account
        self.currency = currency
        self.amount = amount
        self.day = day
        self.references = references
        self.text = text
    }
}
