public import Domain

/// What the card schemes' own codes say of another try of a payment that the merchant initiated.
extension Decline.RetryAdvice {
    private static let hour: Int64 = 3_600_000

    /// Reads one of Mastercard's merchant advice codes; nil if it says nothing of another try, or is none.
    ///
    /// Digits that stand before a text count (`24 : Retry after 1 hour`, as Adyen writes them).
    ///
    /// Sources: the lists of Braintree ("Merchant Advice Codes") and of other PSPs, which agree, read in November 2026;
    /// the 72 hours of `02` are in those that recommend something. `21` is Mastercard's own service by which buyers end
    /// recurring payments.
    public init?(mastercard code: String) {
        let digits = String(code.prefix { $0.isASCII && $0.isNumber })
        let hours: Int64
        switch digits {
        case "01", "03":
            self = .never
            return
        case "21":
            self = .revoked
            return
        case "02": hours = 72
        case "24": hours = 1
        case "25": hours = 24
        case "26": hours = 48
        case "27": hours = 96
        case "28": hours = 144
        case "29": hours = 192
        case "30": hours = 240
        default: return nil
        }
        self = .after(milliseconds: hours * Self.hour)
    }

    /// Reads an issuer's response code as the schemes write it; nil if it forbids nothing.
    ///
    /// Visa's "stop payment order" and "revocation of authorization" take the consent back, and of its codes that forbid
    /// another try those count that mean the same at every scheme: to be picked up, no such issuer, lost, stolen, closed.
    ///
    /// Source: Visa's categories of declines as public lists of PSPs have them, read in November 2026.
    public init?(issuer code: String) {
        switch code {
        case "R0", "R1", "R3": self = .revoked
        case "04", "07", "15", "41", "43", "46": self = .never
        default: return nil
        }
    }
}
