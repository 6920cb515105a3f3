/// What a line says in words and names, each of which a report may lack.
extension SettlementLine {
    /// Which text.
    public enum Text: Int, Hashable, Sendable, CaseIterable {
        /// ``SettlementLine/account``.
        case account
        /// ``SettlementLine/submerchant``.
        case submerchant
        /// ``SettlementLine/reference``.
        case reference
        /// ``SettlementLine/paymentReference``.
        case paymentReference
        /// ``SettlementLine/objectReference``.
        case objectReference
        /// ``SettlementLine/entryReference``.
        case entryReference
        /// ``SettlementLine/batch``.
        case batch
        /// ``SettlementLine/exchangeRate``.
        case exchangeRate
    }

    /// Whether a text is there.
    public func has(_ text: Text) -> Bool { texts.range(of: text) != nil }

    /// The PSP's account that the money belongs to, as the report names it.
    public var account: String? {
        get { texts[.account] }
        set { texts[.account] = newValue }
    }

    /// The merchant below that account, as the report or our reference names it.
    public var submerchant: String? {
        get { texts[.submerchant] }
        set { texts[.submerchant] = newValue }
    }

    /// The reference that we gave the PSP, as the report repeats it.
    public var reference: String? {
        get { texts[.reference] }
        set { texts[.reference] = newValue }
    }

    /// The PSP's name of the payment.
    public var paymentReference: String? {
        get { texts[.paymentReference] }
        set { texts[.paymentReference] = newValue }
    }

    /// The PSP's name of the capture, refund or dispute that moved the money.
    public var objectReference: String? {
        get { texts[.objectReference] }
        set { texts[.objectReference] = newValue }
    }

    /// The PSP's name of this very line, if it has one: unique over all its reports.
    public var entryReference: String? {
        get { texts[.entryReference] }
        set { texts[.entryReference] = newValue }
    }

    /// The payout or batch that the line is part of.
    public var batch: String? {
        get { texts[.batch] }
        set { texts[.batch] = newValue }
    }

    /// The exchange rate as the report writes it; what it is from and to is the PSP's matter.
    public var exchangeRate: String? {
        get { texts[.exchangeRate] }
        set { texts[.exchangeRate] = newValue }
    }
}
