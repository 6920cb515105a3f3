import COpenSSL

/// A certificate with its private key: a signer, or an authority of one's own that issues certificates.
package struct SigningIdentity: Sendable {
    /// The certificate.
    package let certificate: Certificate
    /// Its key.
    package let key: PrivateKey

    /// Puts the two together; whether they belong together is for the caller to know.
    package init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// A root of its own.
    ///
    /// - Throws: ``OpenSSLFailure`` if a field of the request cannot stand in a certificate.
    package static func selfSigned(
        _ request: CertificateRequest,
        key: PrivateKey
    ) throws(OpenSSLFailure) -> SigningIdentity {
        let certificate = try issue(request, for: key.publicKey, issuer: nil, key: key)
        return SigningIdentity(certificate: certificate, key: key)
    }

    /// Issues a certificate for a key.
    ///
    /// - Throws: ``OpenSSLFailure`` if a field of the request cannot stand in a certificate.
    package func issue(
        _ request: CertificateRequest,
        for subject: PublicKey
    ) throws(OpenSSLFailure) -> Certificate {
        try Self.issue(request, for: subject, issuer: certificate, key: key)
    }

    private static func issue(
        _ request: CertificateRequest,
        for subject: PublicKey,
        issuer: Certificate?,
        key: PrivateKey
    ) throws(OpenSSLFailure) -> Certificate {
        guard let new = unsafe X509_new(), let name = unsafe X509_NAME_new() else { throw .drained() }
        defer { unsafe X509_NAME_free(name) }
        do throws(OpenSSLFailure) {
            for attribute in request.subject {
                let value = Array(attribute.value.utf8)
                try check(
                    unsafe X509_NAME_add_entry_by_txt(
                        name,
                        attribute.name,
                        MBSTRING_FLAG,
                        value,
                        Int32(value.count),
                        -1,
                        0
                    )
                )
            }
            try check(unsafe X509_set_version(new, 2))
            try check(unsafe ASN1_INTEGER_set_int64(X509_get_serialNumber(new), request.serial))
            try check(unsafe X509_set_subject_name(new, name))
            try check(
                unsafe X509_set_issuer_name(new, issuer.map { unsafe X509_get_subject_name($0.pointer) } ?? name)
            )
            try check(unsafe ASN1_TIME_set(X509_getm_notBefore(new), time_t(request.notBefore)) == nil ? 0 : 1)
            try check(unsafe ASN1_TIME_set(X509_getm_notAfter(new), time_t(request.notAfter)) == nil ? 0 : 1)
            try check(unsafe X509_set_pubkey(new, subject.pointer))
            for item in standardExtensions(request) + request.extensions { try unsafe add(item, to: new) }
            let digest = unsafe key.kind == .p384 ? EVP_sha384() : EVP_sha256()
            try check(unsafe X509_sign(new, key.pointer, digest))
        } catch {
            unsafe X509_free(new)
            throw error
        }
        return try unsafe Certificate(owning: new)
    }

    /// Basic constraints and key usage (RFC 5280, 4.2.1.9 and 4.2.1.3).
    private static func standardExtensions(_ request: CertificateRequest) -> [CertificateRequest.Extension] {
        request.isAuthority
            ? [.init("2.5.29.19", [0x30, 3, 1, 1, 0xFF]), .init("2.5.29.15", [3, 2, 1, 6])]
            : [.init("2.5.29.19", [0x30, 0]), .init("2.5.29.15", [3, 2, 7, 0x80])]
    }

    @unsafe
    private static func add(
        _ item: CertificateRequest.Extension,
        to certificate: OpaquePointer
    ) throws(OpenSSLFailure) {
        guard let object = unsafe OBJ_txt2obj(item.identifier, 1) else { throw .drained() }
        defer { unsafe ASN1_OBJECT_free(object) }
        guard let octets = unsafe ASN1_OCTET_STRING_new() else { throw .drained() }
        defer { unsafe ASN1_OCTET_STRING_free(octets) }
        try check(unsafe ASN1_OCTET_STRING_set(octets, item.value, Int32(item.value.count)))
        // Key usage and basic constraints, which RFC 5280 wants to be; key identifiers it wants not to be.
        let isCritical: Int32 = ["2.5.29.15", "2.5.29.19"].contains(item.identifier) ? 1 : 0
        guard let made = unsafe X509_EXTENSION_create_by_OBJ(nil, object, isCritical, octets) else { throw .drained() }
        defer { unsafe X509_EXTENSION_free(made) }
        try check(unsafe X509_add_ext(certificate, made, -1))
    }

    private static func check(_ result: Int32) throws(OpenSSLFailure) {
        guard result > 0 else { throw .drained() }
    }
}

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
