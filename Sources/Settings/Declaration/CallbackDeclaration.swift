import StrictJSON

/// An endpoint that callbacks are delivered to.
package struct CallbackDeclaration: Hashable, Sendable {
    /// What is shown to a server that asks for a client certificate.
    package struct ClientIdentity: Hashable, Sendable {
        /// Where the certificate is kept, in PEM, its intermediates behind it.
        package var certificate: SecretReference
        /// Where its private key is kept, in PEM and not encrypted.
        package var key: SecretReference

        /// Pairs two references.
        package init(certificate: SecretReference, key: SecretReference) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The address: https, or plain http to the loopback interface.
    package var url: String
    /// Where the signing secret is kept; nil if it is to be generated.
    package var secret: SecretReference?
    /// What is shown to a server that asks for a client certificate; nil for nothing.
    package var clientIdentity: ClientIdentity?

    init?(_ body: ObjectReader, file: String) {
        let url = body.webAddress("url")
        secret = body.secretReference("secret", .optional, relativeTo: file)
        let certificate = body.secretReference("client_certificate", .optional, relativeTo: file)
        let key = body.secretReference("client_key", .optional, relativeTo: file)
        for (one, other) in [("client_certificate", "client_key"), ("client_key", "client_certificate")] {
            guard body.contains(one), !body.contains(other) else { continue }
            body.refuse(other, "missing_field", "The field is required beside \(one).")
        }
        if let certificate, let key { clientIdentity = ClientIdentity(certificate: certificate, key: key) }
        guard let url else { return nil }
        self.url = url
    }
}
