/// What an entry is to the account's books (ISO 20022 ExternalEntryStatus1Code).
package enum BankEntryStatus: String, Hashable, Sendable, CaseIterable {
    /// Booked: the only one that is part of a booked balance.
    case booked = "BOOK"
    /// Announced, and may still change or vanish.
    case pending = "PDNG"
    /// Booked on a later day.
    case future = "FUTR"
    /// For information; no money moves.
    case information = "INFO"
}
