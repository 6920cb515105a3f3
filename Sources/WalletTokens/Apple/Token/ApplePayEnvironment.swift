package import Domain

/// Where an Apple Pay token was made.
///
/// One root stands above both; the common name of the signer's certificate tells them apart.
package enum ApplePayEnvironment: String, Hashable, Sendable, CaseIterable {
    /// On devices in the hands of buyers.
    case production
    /// In Apple's sandbox.
    case sandbox

    /// Reads a signer's common name: `ecc-smp-broker-sign_UC4-PROD`, `…-SANDBOX`; nil for any other ending.
    init?(commonName: String) {
        if commonName.hasSuffix("-PROD") {
            self = .production
        } else if commonName.hasSuffix("-SANDBOX") {
            self = .sandbox
        } else {
            return nil
        }
    }

    /// Whether a marketplace that takes tokens of `configured` takes those made here.
    package func isAccepted(by configured: WalletAccess.ApplePay.Environment) -> Bool {
        switch configured {
        case .production: self == .production
        case .sandbox: self == .sandbox
        case .any: true
        }
    }
}
