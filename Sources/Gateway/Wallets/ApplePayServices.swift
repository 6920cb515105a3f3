import Domain
import Storage

/// Apple's payment services, as a marketplace's declaration reaches them.
extension WalletAccess.ApplePay {
    /// Where they are, without a slash at the end: what sessions and merchant tokens have in common.
    ///
    /// An address that is declared for sessions stands for all of them, without its last part.
    var paymentServices: String {
        guard let sessionURL else {
            let host = environment == .sandbox ? "apple-pay-gateway-cert.apple.com" : "apple-pay-gateway.apple.com"
            return "https://\(host)/paymentservices"
        }
        let parts = sessionURL.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 3 ? parts.dropLast().joined(separator: "/") : sessionURL
    }

    /// What proves the merchant to them; nil if the marketplace declares nothing that does.
    ///
    /// - Throws: what reading a certificate or a key throws.
    func merchantIdentity(readBy ports: WalletPorts) throws -> MerchantIdentity? {
        guard let identity else { return nil }
        return MerchantIdentity(
            certificate: try ports.read(identity.certificate),
            key: try ports.read(identity.key),
            authorities: try sessionAuthorities.map { try ports.read($0) }
        )
    }
}
