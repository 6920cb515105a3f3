package import StrictJSON

/// What a Google Pay token encrypts, with published test numbers only.
package struct GooglePayMessage: Sendable {
    /// Until when it may be used, in milliseconds since 1970.
    package var messageExpiration: JSON = "1800000000000"
    /// Google's identifier of it.
    package var messageIdentifier: JSON = "AH2Ejtc-example"
    /// The gateway's identifier of the merchant.
    package var gatewayMerchantIdentifier: JSON?
    /// What kind of means of payment it is.
    package var paymentMethod: JSON = "CARD"
    /// The members of the card.
    package var details: [JSON.Member]

    /// A card on file (`PAN_ONLY`).
    package static var numberOnly: GooglePayMessage {
        GooglePayMessage(details: card + [.init("authMethod", "PAN_ONLY")])
    }

    /// A device token with a cryptogram (`CRYPTOGRAM_3DS`).
    package static var cryptogram: GooglePayMessage {
        GooglePayMessage(
            details: card + [
                .init("authMethod", "CRYPTOGRAM_3DS"), .init("cryptogram", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
                .init("eciIndicator", "05"),
            ]
        )
    }

    /// The message's text.
    package var text: String {
        JSON.object(omittingAbsent: [
            "gatewayMerchantId": gatewayMerchantIdentifier,
            "messageExpiration": messageExpiration,
            "messageId": messageIdentifier,
            "paymentMethod": paymentMethod,
            "paymentMethodDetails": .object(details),
        ]).text
    }

    /// The message with a member of the card replaced, added, or, with nil, left out.
    package func changing(_ key: String, to value: JSON?) -> GooglePayMessage {
        var changed = self
        changed.details.removeAll { $0.key == key }
        if let value { changed.details.append(.init(key, value)) }
        return changed
    }

    private static let card: [JSON.Member] = [
        .init("pan", "4111111111111111"), .init("expirationMonth", 12), .init("expirationYear", 2028),
    ]
}
