package import Domain

/// A token that was verified and decrypted: what it says, and what vouches for it.
package struct OpenedApplePay: Hashable, Sendable {
    /// How it was encrypted.
    package let version: ApplePayVersion
    /// Where it was made.
    package let environment: ApplePayEnvironment
    /// When it was signed, to the second.
    package let signingTime: Timestamp
    /// The device's identifier of the transaction: 64 lower-case hexadecimal digits, used once.
    package let transactionID: String
    /// The SHA-256 digest of the payment request's `applicationData`, 64 lower-case hexadecimal digits; nil if the
    /// request had none.
    package let applicationDataHash: String?
    /// The merchant identifier of the key that opened it; nil if only its hash is known.
    package let merchantIdentifier: String?
    /// The SHA-256 digest of that merchant identifier.
    package let merchantIdentifierHash: [UInt8]
    /// What it says.
    package let payment: ApplePayPayment

    /// Whether the key that opened it belongs to this merchant identifier.
    package func isEncrypted(for merchantIdentifier: String) -> Bool {
        MerchantIdentifierHash.of(merchantIdentifier) == merchantIdentifierHash
    }
}
