package import Domain

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
