package import Domain

/// What an Apple Pay token encrypts (Apple, "Payment token format reference").
package struct ApplePayPayment: Hashable, Sendable {
    /// What proves that the buyer holds the card.
    package enum Authentication: Hashable, Sendable {
        /// The network's cryptogram in Base64, which may be absent where every merchant has its own, and the
        /// electronic commerce indicator, if there is one, as Apple writes it: one or two digits.
        case threeDSecure(cryptogram: Secret?, eci: String?)
        /// China UnionPay's data in Base64, and the encrypted PIN in hexadecimal, if there is one.
        case emv(data: Secret, encryptedPIN: Secret?)
    }

    /// The number of the device or merchant token: 12 to 19 digits.
    package let number: Secret
    /// The day until whose end it is valid.
    package let expiration: CalendarDay
    /// The amount that the buyer authorized.
    package let amount: Money
    /// The name on the card, which is rarely there.
    package let cardholderName: Secret?
    /// The maker of the device, in hexadecimal.
    package let deviceManufacturerIdentifier: String
    /// What proves that the buyer holds the card.
    package let authentication: Authentication
    /// What each merchant of a multi-merchant token gets, in no particular order; empty for other tokens.
    package let responses: [BundleResponse]
    /// The merchant token's identifier; nil if the number belongs to a device.
    package let merchantTokenIdentifier: String?

    /// The number's first six and last four digits; the others are asterisks.
    package var maskedNumber: String {
        let digits = number.reveal()
        return digits.prefix(6) + String(repeating: "*", count: max(0, digits.count - 10)) + digits.suffix(4)
    }
}
