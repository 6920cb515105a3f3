/// The certificate and private key that this side shows to a server which asks for them.
package struct ClientIdentity: Hashable, Sendable {
    /// The certificate, followed by its intermediates if there are any.
    package let certificate: PEM
    /// The certificate's private key, not encrypted.
    package let key: PEM

    /// Pairs a certificate with its key; a pair that does not match fails as `tlsFailed` when it is first used.
    package init(certificate: PEM, key: PEM) {
        self.certificate = certificate
        self.key = key
    }
}
