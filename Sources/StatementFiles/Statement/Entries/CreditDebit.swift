/// Which way money moved on the account (ISO 20022 CreditDebitCode).
package enum CreditDebit: String, Hashable, Sendable, CaseIterable {
    /// Into the account.
    case credit = "CRDT"
    /// Out of the account.
    case debit = "DBIT"

    /// The other way.
    package var opposite: CreditDebit { self == .credit ? .debit : .credit }
}
