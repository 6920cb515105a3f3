package import AdapterKit

/// What wallets need of the outside.
package struct WalletPorts: Sendable {
    /// Reads what is behind a reference (`env:NAME`, `file:PATH`), which may be binary.
    package let read: @Sendable (_ reference: String) throws -> [UInt8]
    /// Sends a request to Apple, showing the merchant's identity; never throws, because silence is an answer too.
    package let askApple: @Sendable (WireRequest, MerchantIdentity, _ timeoutMilliseconds: Int64) async -> SendResult

    /// Authenticates a subject with a key that is stored sealed, in hexadecimal: what tokens of orders in Wallet, and links
    /// to them, are made of; nil where there is no such key.
    package let authenticate: (@Sendable (_ subject: String) -> String)?

    /// Makes ports of functions.
    package init(
        read: @escaping @Sendable (String) throws -> [UInt8],
        askApple: @escaping @Sendable (WireRequest, MerchantIdentity, Int64) async -> SendResult,
        authenticate: (@Sendable (String) -> String)? = nil
    ) {
        self.read = read
        self.askApple = askApple
        self.authenticate = authenticate
    }

    /// Ports of a gateway without wallets.
    package static let none = WalletPorts(
        read: { _ in throw NoWallets() },
        askApple: { _, _, _ in .failure(reason: "this gateway has no way to Apple", mayHaveArrived: false) }
    )

    private struct NoWallets: Error {}
}

/// The certificate and key that prove a merchant to Apple.
package struct MerchantIdentity: Sendable {
    /// The certificate in PEM, followed by its intermediates if there are any.
    package let certificate: [UInt8]
    /// The private key in PEM.
    package let key: [UInt8]
    /// The certificate authorities to trust instead of the system's, in PEM; for tests.
    package let authorities: [UInt8]?

    /// Puts them together.
    package init(certificate: [UInt8], key: [UInt8], authorities: [UInt8]? = nil) {
        self.certificate = certificate
        self.key = key
        self.authorities = authorities
    }
}
