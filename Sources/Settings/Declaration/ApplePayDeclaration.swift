import StrictJSON

/// Certificates for Apple Pay.
package struct ApplePayDeclaration: Hashable, Sendable {
    /// A certificate and its private key.
    package struct Identity: Hashable, Sendable {
        /// Where the certificate is kept.
        package var certificate: SecretReference
        /// Where the private key is kept.
        package var key: SecretReference

        init?(_ body: ObjectReader, file: String) {
            let certificate = body.secretReference("certificate", relativeTo: file)
            let key = body.secretReference("key", relativeTo: file)
            guard let certificate, let key else { return nil }
            self.certificate = certificate
            self.key = key
        }
    }

    /// What opens tokens: a ring, several during rotation.
    package var processingCertificates: [Identity]
    /// What proves the merchant to Apple when a session starts on the web.
    package var merchantIdentity: Identity?

    init?(_ body: ObjectReader, file: String) {
        let certificates = body.array("processing_certificates", .optional, count: 0...20) { Identity($0, file: file) }
        merchantIdentity = body.object("merchant_identity", .optional) { Identity($0, file: file) }
        processingCertificates = certificates ?? []
    }
}
