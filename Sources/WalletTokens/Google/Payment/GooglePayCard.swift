package import Domain

/// The card of an opened Google Pay token.
package struct GooglePayCard: Hashable, Sendable {
    /// What proves that the buyer holds the card.
    package enum Authentication: Hashable, Sendable {
        /// A card on file at Google: the buyer may still have to authenticate (`PAN_ONLY`).
        case numberOnly
        /// A device token with the network's cryptogram, in Base64, and its electronic commerce indicator, if it has
        /// one, as Google writes it (`CRYPTOGRAM_3DS`).
        case cryptogram(Secret, eci: String?)
    }

    /// The card's number, or the device's for a cryptogram: 12 to 19 digits.
    package let number: Secret
    /// The month until whose end it is valid, 1 to 12.
    package let expirationMonth: Int
    /// The year of that month, with four digits.
    package let expirationYear: Int
    /// What proves that the buyer holds it.
    package let authentication: Authentication

    /// The number's first six and last four digits; the others are asterisks.
    package var maskedNumber: String {
        let digits = number.reveal()
        return digits.prefix(6) + String(repeating: "*", count: max(0, digits.count - 10)) + digits.suffix(4)
    }
}
