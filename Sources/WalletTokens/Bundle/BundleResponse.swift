package import Domain

/// One of the `authenticationResponses` of a decrypted multi-merchant Apple Pay token.
///
/// Apple guarantees no order among them and does not publish how the merchant identifier is hashed (Apple developer
/// forum 826536).
package struct BundleResponse: Hashable, Sendable {
    /// The hashed merchant identifier, as it stands in the token.
    package let merchantHash: String
    /// The amount in the currency's minor unit.
    package let amount: Int64
    /// The network's cryptogram for this merchant and amount, in Base64.
    package let cryptogram: Secret

    /// Makes a response.
    package init(merchantHash: String, amount: Int64, cryptogram: Secret) {
        self.merchantHash = merchantHash
        self.amount = amount
        self.cryptogram = cryptogram
    }
}
