package import Domain
import StrictJSON
import WireFormats

/// What a Google Pay token holds once every check has passed.
package struct GooglePayPayment: Hashable, Sendable {
    /// The scheme it was signed and encrypted with.
    package let version: GooglePayVersion
    /// Google's identifier of the message, by which it may be used once.
    package let messageIdentifier: String
    /// Until when the message may be used.
    package let messageExpiration: Timestamp
    /// The gateway's identifier of the merchant; nil unless the token was requested through a gateway.
    package let gatewayMerchantIdentifier: String?
    /// The card.
    package let card: GooglePayCard
}

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
    package var maskedNumber: String { TokenText.masked(number) }
}

/// Reads what a token's encrypted message says (Google, "Payment data cryptography for merchants": "Encrypted
/// message").
enum GooglePayPayload {
    private static let code = "malformed_payload"

    /// Reads the decrypted bytes.
    ///
    /// - Throws: `TokenRefusal` of the stage `signing_time` for a message that has expired at `moment`, of the stage
    ///   `payload` for anything that is not a card as Google documents it.
    static func read(
        _ plaintext: [UInt8],
        _ version: GooglePayVersion,
        at moment: Timestamp
    ) throws(TokenRefusal) -> GooglePayPayment {
        let json: JSON
        do {
            json = try JSON.parse(plaintext, depthLimit: GooglePayToken.depthLimit)
        } catch {
            throw TokenRefusal(.payload, code, "what was encrypted is not JSON: \(error)")
        }
        let expiration = try TolerantReading.read(json, .payload, code) { $0.moment("messageExpiration") }
        guard moment < expiration else {
            throw TokenRefusal(.signingTime, "message_expired", "the message was to be used before \(expiration)")
        }
        guard json["paymentMethod"]?.stringValue == "CARD" else {
            throw TokenRefusal(.payload, "unsupported_payment_method", "the payment method is not CARD")
        }
        return try TolerantReading.read(json, .payload, code) { message -> GooglePayPayment? in
            let identifier = message.string("messageId", length: 1...1000)
            let merchant = message.string("gatewayMerchantId", .optional)
            let card = message.object("paymentMethodDetails") { Self.card($0) }
            guard let identifier, let card else { return nil }
            return GooglePayPayment(
                version: version,
                messageIdentifier: identifier,
                messageExpiration: expiration,
                gatewayMerchantIdentifier: merchant,
                card: card
            )
        }
    }

    private static func card(_ details: ObjectReader) -> GooglePayCard? {
        let number = details.parsed("pan", expecting: "12 to 19 digits") { text in
            text.isDecimalDigits(12...19) ? Secret(text) : nil
        }
        let month = details.integer("expirationMonth", in: 1...12)
        let year = details.integer("expirationYear", in: 2000...9999)
        guard let authentication = authentication(details), let number, let month, let year else { return nil }
        return GooglePayCard(
            number: number,
            expirationMonth: Int(month),
            expirationYear: Int(year),
            authentication: authentication
        )
    }

    private static func authentication(_ details: ObjectReader) -> GooglePayCard.Authentication? {
        switch details.string("authMethod", oneOf: ["PAN_ONLY", "CRYPTOGRAM_3DS"]) {
        case "PAN_ONLY": return .numberOnly
        case nil: return nil
        default:
            let cryptogram = details.parsed("cryptogram", expecting: "padded Base64") { text in
                Base64.decode(nonempty: text).map { _ in Secret(text) }
            }
            let eci = details.parsed("eciIndicator", .optional, expecting: "at most two digits") { text in
                text.isEmpty || text.isDecimalDigits(1...2) ? text : nil
            }
            return cryptogram.map { .cryptogram($0, eci: eci?.isEmpty == true ? nil : eci) }
        }
    }
}
