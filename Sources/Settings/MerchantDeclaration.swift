package import Storage
import StrictJSON

/// A declared merchant: its document, and where it hears about its payments.
@dynamicMemberLookup
package struct MerchantDeclaration: Hashable, Sendable {
    /// The merchant.
    package let document: MerchantDocument
    /// Where it hears about its payments, if anywhere.
    package var callback: CallbackDeclaration?

    init?(_ body: ObjectReader, file: String) {
        let document = MerchantDocument(body)
        callback = body.object("callback", .optional) { CallbackDeclaration($0, file: file) }
        guard let document else { return nil }
        self.document = document
    }

    /// What the document says.
    package subscript<Value>(dynamicMember path: KeyPath<MerchantDocument, Value>) -> Value {
        document[keyPath: path]
    }
}

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
