/// Which balance a balance is: a code of ISO 20022's ExternalBalanceType1Code, or a bank's own.
package struct BankBalanceKind: RawRepresentable, Hashable, Sendable {
    /// The code.
    package let rawValue: String

    /// Makes a kind; every code is one.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// `OPBD`, `:60F:`: booked, at the beginning of the period.
    package static let openingBooked = BankBalanceKind(rawValue: "OPBD")
    /// `PRCD`: booked, at the end of the period before.
    package static let previouslyClosedBooked = BankBalanceKind(rawValue: "PRCD")
    /// `CLBD`, `:62F:`: booked, at the end of the period.
    package static let closingBooked = BankBalanceKind(rawValue: "CLBD")
    /// `CLAV`, `:64:`: available, at the end of the period.
    package static let closingAvailable = BankBalanceKind(rawValue: "CLAV")
    /// `OPAV`: available, at the beginning of the period.
    package static let openingAvailable = BankBalanceKind(rawValue: "OPAV")
    /// `FWAV`, `:65:`: available on a later day.
    package static let forwardAvailable = BankBalanceKind(rawValue: "FWAV")
    /// `ITBD`: booked, at a moment within the day.
    package static let interimBooked = BankBalanceKind(rawValue: "ITBD")
    /// `ITAV`: available, at a moment within the day.
    package static let interimAvailable = BankBalanceKind(rawValue: "ITAV")
}
