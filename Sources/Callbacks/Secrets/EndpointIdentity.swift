package import Domain

/// What is shown to an endpoint that asks for a client certificate, as it was read.
package struct EndpointIdentity: Hashable, Sendable {
    /// The certificate in PEM, its intermediates behind it.
    package let certificate: Secret
    /// Its private key in PEM, not encrypted.
    package let key: Secret

    /// Pairs a certificate with its key.
    package init(certificate: Secret, key: Secret) {
        self.certificate = certificate
        self.key = key
    }
}
