import WalletTokens

/// What opens a marketplace's wallet tokens.
struct WalletOpeners: Sendable {
    /// Opens Apple Pay tokens; nil if the marketplace declares no processing certificate.
    let apple: ApplePayOpener?
    /// Opens Google Pay tokens; nil if the marketplace declares no keys.
    let google: GooglePayOpener?
    /// The merchant that a Google Pay token for a gateway has to name; nil if it is not checked.
    let gatewayMerchantIdentifier: String?
}
