/// What is to stand in a certificate.
package struct CertificateRequest: Sendable {
    /// An extension that is none of the usual ones.
    package struct Extension: Hashable, Sendable {
        /// The object identifier in dotted form.
        package let identifier: String
        /// The bytes in its OCTET STRING.
        package let value: [UInt8]

        /// Makes an extension that is not critical.
        package init(_ identifier: String, _ value: [UInt8]) {
            self.identifier = identifier
            self.value = value
        }
    }

    /// The subject's attributes by OpenSSL's short names (`CN`, `O`, `UID`), in their order.
    package var subject: [(name: String, value: String)]
    /// From when on it is valid, in seconds since 1970.
    package var notBefore: Int64
    /// Until when it is valid, in seconds since 1970.
    package var notAfter: Int64
    /// The serial number.
    package var serial: Int64
    /// Whether it may issue certificates itself.
    package var isAuthority: Bool
    /// Further extensions.
    package var extensions: [Extension]

    /// Makes a request.
    package init(
        subject: [(name: String, value: String)],
        notBefore: Int64,
        notAfter: Int64,
        serial: Int64 = .random(in: 1 ... .max),
        isAuthority: Bool = false,
        extensions: [Extension] = []
    ) {
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.serial = serial
        self.isAuthority = isAuthority
        self.extensions = extensions
    }
}
